package deposit_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/deposit"
	"github.com/walletctl/walletctl/walletcore/inbox"
)

// early is a message about a deposit that is not there.
func early(id string, status walletcore.PaymentStatus) walletcore.Notification {
	n := request()
	return message(&deposit.Deposit{
		ID: id, Brand: n.Brand, Currency: n.Currency, Amount: n.Amount, Gateway: n.Gateway, Account: n.Account,
	}, status)
}

func TestMatch_MessageBeforeItsDepositIsAppliedLater(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(o *options) {
		o.NewID = func() string { return "d404" }
		o.RetryBase = time.Hour
	})
	start(t, b.Service)
	n := early("d404", walletcore.PaymentConfirmed)
	require.Equal(t, inbox.Unmatched, b.apply(t, n).Result)
	require.Equal(t, 1, b.count(t, "river_job where kind = 'deposit_match' and state = 'scheduled' and scheduled_at > now() + interval '59 minutes'"))
	b.hurry(t)
	b.waitCount(t, 1, "river_job where kind = 'deposit_match' and state = 'retryable' and scheduled_at > now() + interval '119 minutes'")
	require.Zero(t, b.count(t, "payments"))

	b.create(t)
	b.hurry(t)
	b.waitFor(t, "d404", deposit.Credited)
	require.Equal(t, 1, b.count(t, "gateway_messages where id = $1 and result = 'applied'", n.MessageID))
	again := b.apply(t, n)
	require.True(t, again.Duplicate)
	require.Equal(t, inbox.Applied, again.Result)
	require.Zero(t, b.count(t, "cases"))
}

func TestMatch_DepositThatNeverComesEndsAsOneCase(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	start(t, b.Service)
	for range 2 { // the gateway sends it twice
		b.apply(t, early("d404", walletcore.PaymentConfirmed))
	}
	for range 5 {
		b.waitCount(t, 0, "river_job where state in ('available', 'running')")
		b.hurry(t)
	}
	b.waitCount(t, 2, "gateway_messages where result = 'case_opened'")
	require.Equal(t, []string{"unknown_deposit"}, b.cases(t, "d404"))
	b.waitCount(t, 2, "river_job where kind = 'deposit_match' and state = 'completed' and attempt = 5")
	require.Zero(t, b.wallet.calls())
}

func TestMatch_MoneyWithoutADepositIsLookedForToo(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for status, want := range map[walletcore.PaymentStatus]inbox.Result{
		walletcore.PaymentConfirmed:  inbox.Unmatched,
		walletcore.PaymentChargeback: inbox.Unmatched,
		walletcore.PaymentPending:    inbox.Skipped,
		walletcore.PaymentFailed:     inbox.Skipped,
		walletcore.PaymentExpired:    inbox.Skipped,
		walletcore.PaymentOther:      inbox.Skipped,
	} {
		n := early("", status)
		require.Equal(t, want, b.apply(t, n).Result, status)
		require.Equal(t, 1, b.count(t, "gateway_messages where id = $1", n.MessageID))
	}
}

func TestMatch_ChargebackBeforeItsConfirmationFindsTheDepositByPayment(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.create(t)
	n := message(&d, walletcore.PaymentChargeback)
	n.DepositID = ""
	require.Equal(t, inbox.Unmatched, b.apply(t, n).Result)
	require.Equal(t, inbox.Applied, b.apply(t, message(&d, walletcore.PaymentConfirmed)).Result)
	start(t, b.Service)
	b.hurry(t)
	b.waitCount(t, 1, "gateway_messages where id = $1 and case_kind = 'chargeback'", n.MessageID)
	require.Equal(t, []string{"chargeback"}, b.cases(t, d.ID))
	require.NoError(t, b.Stop(context.Background()))
}
