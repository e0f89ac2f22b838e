package ledger_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// poolerConns is the most that the pooler opens to one database for one login.
const poolerConns = 8

func TestPooler_OppositeOrdersNeverDeadlockAndLeaveNoLock(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := newChurn(b, wallettest.GamingPooler)
	most := 0
	c.run(t, func(ctx context.Context) {
		for ctx.Err() == nil {
			most = max(most, b.sessions())
			c.awaitBatches(ctx, churnWorkers)
		}
	})
	require.Equal(t, poolerConns, most, "%d workers did not share the pooler's connections", churnWorkers)
	c.requireConserved()
	b.requireNoAdvisoryLock()
	require.Zero(t, b.deadlocks(), "the lock order was not kept")
}

// throughPooler is a funded bench with a ledger behind the pooler, which has
// more callers than the pooler has connections.
func throughPooler(t *testing.T) *bench {
	t.Helper()
	b := funded(t)
	b.ledger = b.newLedger(b.db.Pool(t, wallettest.GamingPooler, func(o *pgxpool.Config) { o.MaxConns = 2 * poolerConns }))
	return b
}

func TestPooler_AWithdrawalIsDebitedOnceAndGivenBackOnce(t *testing.T) {
	t.Parallel()
	b := throughPooler(t)
	debit := b.play(walletcore.KindWithdrawal, "q-1", "60")
	require.Equal(t, 1, b.firsts(50, debit), "debits")
	b.requireBalance("40", "50")
	require.Equal(t, 1, b.firsts(50, b.play(walletcore.KindWithdrawalReversal, "q-1", "0")), "reversals")
	require.Zero(t, b.firsts(8, debit), "a debit after the reversal")
	b.requireBalance("100", "50")

	other := b.play(walletcore.KindWithdrawal, "q-1", "60", func(m *ledger.Movement) { m.Wallet.User = "somebody else" })
	outcomes, err := b.post(other)
	require.NoError(t, err)
	var conflict *walletcore.ConflictError
	require.ErrorAs(t, outcomes[0].Err, &conflict)
	require.Equal(t, "user", conflict.Field)
	b.mustRefuse(walletcore.RefusedNoFunds, b.play(walletcore.KindWithdrawal, "q-2", "101"))
	b.requireNoAdvisoryLock()
	b.requireClosed()
}

func TestPooler_AWithdrawalAgainstItsOwnReversalEndsWholeEitherWay(t *testing.T) {
	t.Parallel()
	b := throughPooler(t)
	for round := range 50 {
		id := fmt.Sprintf("q-%d", round)
		debit, back := b.play(walletcore.KindWithdrawal, id, "10"), b.play(walletcore.KindWithdrawalReversal, id, "0")
		b.atOnce(debit, back, debit, back)
	}
	b.requireBalance("100", "50")
	const ended = `
select count(*)
from gaming.entries q
join gaming.entries r using (wallet_id, external_id)
where q.kind = 'withdrawal' and r.kind = 'withdrawal_reversal'
  and (q.mark is null and r.mark is null or q.mark = 'void' and r.mark = 'tombstone')`
	require.Equal(t, 50, b.count(ended))
	b.requireNoAdvisoryLock()
	b.requireClosed()
}

// firsts posts a movement so often at once, and returns how many callers were
// told that theirs was the first.
func (b *bench) firsts(times int, m ledger.Movement) int {
	b.t.Helper()
	movements := make([]ledger.Movement, times)
	for i := range movements {
		movements[i] = m
	}
	first := 0
	for _, posted := range b.atOnce(movements...) {
		if !posted.Replayed {
			first++
		}
	}
	return first
}

// atOnce posts movements concurrently, each of which has to stand.
func (b *bench) atOnce(movements ...ledger.Movement) []walletcore.Posted {
	b.t.Helper()
	posted := make([]walletcore.Posted, len(movements))
	errs := make([]error, len(movements))
	var wait sync.WaitGroup
	for i, m := range movements {
		wait.Go(func() {
			results, err := b.ledger.Post(b.t.Context(), []ledger.Request{{m}})
			if err == nil {
				posted[i], err = results[0].Outcomes[0].Posted, results[0].Err()
			}
			errs[i] = err
		})
	}
	wait.Wait()
	for i := range errs {
		require.NoError(b.t, errs[i], "%s %s", movements[i].Kind, movements[i].ExternalID)
	}
	return posted
}

// sessions returns how many the ledger has in the database.
func (b *bench) sessions() int {
	b.t.Helper()
	return b.count(`select count(*) from pg_stat_activity where datname = current_database() and usename = 'gaming'`)
}

// requireNoAdvisoryLock asserts that none was left on a connection that others
// use.
func (b *bench) requireNoAdvisoryLock() {
	b.t.Helper()
	require.Positive(b.t, b.sessions(), "the connections whose locks are looked for are gone")
	require.Zero(b.t, b.count(`
select count(*)
from pg_locks
where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`))
}
