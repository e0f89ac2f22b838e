package deposit_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/deposit"
	"github.com/walletctl/walletctl/walletcore/inbox"
)

var errBrokerDown = errors.New("broker is down")

func TestEffect_IsPublishedAgainWithTheSameMessageID(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(o *options) { o.EffectNames = []string{"promotions"} })
	var seen []string
	b.topic.fail = func(call int) error {
		if call <= 2 {
			return errBrokerDown
		}
		return nil
	}
	start(t, b.Service)
	d := b.confirmed(t)
	b.waitCount(t, 1, "effects where published_at is not null and attempts = 3")
	for _, e := range b.topic.published {
		seen = append(seen, e.MessageID)
		require.Equal(t, "deposit.confirmed", e.Event)
		require.Equal(t, d.Amount, e.Amount)
		require.Equal(t, "u-1", e.User)
		require.Equal(t, d.CorrelationID, e.CorrelationID)
		require.Equal(t, *d.ConfirmedAt, e.ConfirmedAt)
	}
	require.Equal(t, []string{"deposit.confirmed:" + d.ID + ":promotions"}, seen)
}

func TestEffect_ExhaustedOpensACaseAndLeavesTheCreditAlone(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(o *options) { o.EffectNames = []string{"promotions"} })
	b.topic.fail = always(errBrokerDown)
	start(t, b.Service)
	d := b.confirmed(t)
	b.waitFor(t, d.ID, deposit.Credited)
	b.waitCount(t, 1, "cases")
	require.Equal(t, []string{"effect_exhausted"}, b.cases(t, d.ID+"/promotions"))
	b.waitCount(t, 1, "river_job where kind = 'deposit_effect' and state = 'discarded' and attempt = 6")
}

func TestEffect_LaterDeliveriesRaiseNone(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	start(t, b.Service)
	d := b.confirmed(t)
	b.waitFor(t, d.ID, deposit.Credited)
	b.waitCount(t, 2, "effects where published_at is not null")
	// The queue forgets what is done after a day; the effects' own rows do not.
	b.waitCount(t, 0, "river_job where state <> 'completed'")
	b.exec(t, `delete from casino.river_job`)
	require.Equal(t, inbox.Skipped, b.apply(t, message(&d, walletcore.PaymentConfirmed)).Result)
	require.Zero(t, b.count(t, "river_job"))
	require.Len(t, b.topic.of(d.ID), 2)
}
