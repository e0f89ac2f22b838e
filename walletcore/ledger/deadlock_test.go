package ledger_test

import (
	"bytes"
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/wallettest"
)

func TestPost_OppositeOrdersNeverDeadlock(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := newChurn(b, wallettest.Gaming)
	c.run(t, func(context.Context) {})
	c.requireConserved()
	require.Zero(t, b.deadlocks(), "the lock order was not kept")
}

func TestPost_ADeadlockThatAnotherProgramMakesReachesNoCaller(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := newChurn(b, wallettest.Gaming)
	c.run(t, func(ctx context.Context) {
		for ctx.Err() == nil {
			c.lockInTheWrongOrder(ctx)
			c.awaitBatches(ctx, 4*churnWorkers)
		}
	})
	c.requireConserved()
	require.Positive(t, b.deadlocks())
	require.GreaterOrEqual(t, c.retries(), int64(b.deadlocks()))
}

// lockInTheWrongOrder locks the last wallet, and the first once somebody who
// holds that waits for the last.
func (c *churn) lockInTheWrongOrder(ctx context.Context) {
	t := c.b.t
	t.Helper()
	holder, err := c.b.owner.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = holder.Rollback(context.WithoutCancel(t.Context())) }()
	ids := c.walletIDs()
	lock := func(id uuid.UUID) error {
		_, err := holder.Exec(t.Context(), `select from gaming.wallets where id = $1 for update`, id)
		return err
	}
	require.NoError(t, lock(ids[len(ids)-1]))
	for ctx.Err() == nil && c.b.blocked() == 0 {
		time.Sleep(time.Millisecond)
	}
	if ctx.Err() == nil {
		_ = lock(ids[0]) // where it is this one that dies, so it is
	}
}

// awaitBatches returns when so many more were begun.
func (c *churn) awaitBatches(ctx context.Context, more int64) {
	for want := c.number.Load() + more; ctx.Err() == nil && c.number.Load() < want; {
		time.Sleep(time.Millisecond)
	}
}

// walletIDs is sorted.
func (c *churn) walletIDs() []uuid.UUID {
	var ids []uuid.UUID
	for wallet := range churnWallets {
		ids = append(ids, c.movement("deposit", 1, wallet).Wallet.ID())
	}
	slices.SortFunc(ids, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	return ids
}

// deadlocks ends the ledger's sessions, which count what they saw when they
// end, and returns how many deadlocks there were.
func (b *bench) deadlocks() int {
	b.t.Helper()
	admin := b.db.Pool(b.t, wallettest.Admin)
	const end = `
select pg_terminate_backend(pid, 10000) from pg_stat_activity
where datname = current_database() and usename = 'gaming'`
	_, err := admin.Exec(b.t.Context(), end)
	require.NoError(b.t, err)
	return b.count(`select deadlocks from pg_stat_database where datname = current_database()`)
}
