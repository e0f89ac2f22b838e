package deposit_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/deposit"
)

func TestExpire_EndsOnlyWhatIsDueAndPending(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := context.Background()
	due, paid := b.create(t), b.confirmed(t)
	later := request()
	later.ExpiresAt = time.Now().Add(48 * time.Hour)
	open, _, err := b.Create(ctx, later)
	require.NoError(t, err)

	tomorrow := time.Now().Add(24 * time.Hour)
	n, err := b.Expire(ctx, "south", tomorrow, 10)
	require.NoError(t, err)
	require.Zero(t, n)
	n, err = b.Expire(ctx, "north", tomorrow, 10)
	require.NoError(t, err)
	require.Equal(t, 1, n)

	require.Equal(t, deposit.Expired, b.get(t, due.ID).Status)
	require.Equal(t, []deposit.EventKind{deposit.EventCreated, deposit.EventExpired}, b.events(t, due.ID))
	require.Equal(t, deposit.Confirmed, b.get(t, paid.ID).Status)
	require.Equal(t, deposit.Pending, b.get(t, open.ID).Status)
}

func TestExpire_KeepsTheLimit(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for range 3 {
		b.create(t)
	}
	tomorrow := time.Now().Add(24 * time.Hour)
	for _, want := range []int{2, 1, 0} {
		n, err := b.Expire(context.Background(), "north", tomorrow, 2)
		require.NoError(t, err)
		require.Equal(t, want, n)
	}
}

func TestExpire_AgainstConfirmationAlwaysEndsCredited(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	start(t, b.Service)
	tomorrow := time.Now().Add(24 * time.Hour)
	expired := 0
	for range 100 {
		d := b.create(t)
		n := message(&d, walletcore.PaymentConfirmed)
		var wg sync.WaitGroup
		var done int
		var expireErr, applyErr error
		wg.Go(func() { done, expireErr = b.Expire(context.Background(), "north", tomorrow, 10) })
		wg.Go(func() { _, applyErr = b.Apply(context.Background(), n) })
		wg.Wait()
		require.NoError(t, expireErr)
		require.NoError(t, applyErr)
		expired += done
	}
	b.waitCount(t, 100, "deposits where status = 'credited'")
	require.Equal(t, 100, b.wallet.calls())
	require.Equal(t, expired, b.count(t, "deposit_events where kind = 'expired'"))
	b.waitCount(t, 200, "effects where published_at is not null")
	require.Equal(t, 200, b.count(t, "river_job where kind = 'deposit_effect'"))
	t.Logf("expiry was first in %d of 100 races", expired)
}
