package ledger_test

import (
	"bytes"
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// throughProxy returns a ledger whose connections lead through a faulty
// network. The wallet exists and every statement is prepared.
func throughProxy(t *testing.T, b *bench) (*wallettest.Proxy, *ledger.Ledger) {
	t.Helper()
	proxy, url := wallettest.NewProxyFor(t, b.db.URL(t, wallettest.Gaming))
	pool, err := pgxpool.New(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	l := b.newLedger(pool)
	_, err = l.CreditDeposit(t.Context(), b.request("warm-up", "1.00"))
	require.NoError(t, err)
	return proxy, l
}

// onWrite acts once, on the round trip that carries the COMMIT: the first one
// that holds the new entry's external id as well as a hash to write.
func onWrite(proxy *wallettest.Proxy, id string, action wallettest.Action) {
	var seen atomic.Int32
	proxy.OnRequest(func(chunk []byte) wallettest.Action {
		// The id travels twice: for the look-up, then to be written.
		if bytes.Contains(chunk, []byte(id)) && seen.Add(1) == 2 {
			return action
		}
		return wallettest.Pass
	})
}

func TestCreditDeposit_ReplyToCommitLostIsLookedUp(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	proxy, l := throughProxy(t, b)
	onWrite(proxy, "d-lost-reply", wallettest.CutAfterReply)

	posted, err := l.CreditDeposit(t.Context(), b.request("d-lost-reply", "50.00"))
	require.NoError(t, err)
	require.True(t, posted.Replayed, "the first try had committed")
	require.EqualValues(t, 1, l.Stats().UnknownCommit.Load())
	require.Equal(t, 51, b.count(`select real::int from gaming.wallets`))
	b.requireClosed()
}

func TestCreditDeposit_ConnectionCutBeforeCommitIsTriedAgain(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	proxy, l := throughProxy(t, b)
	onWrite(proxy, "d-never-sent", wallettest.CutBefore)

	posted, err := l.CreditDeposit(t.Context(), b.request("d-never-sent", "50.00"))
	require.NoError(t, err)
	require.False(t, posted.Replayed)
	require.Equal(t, 51, b.count(`select real::int from gaming.wallets`))
	b.requireClosed()
}

func TestCreditDeposit_DatabaseAwayIsUnavailableAndUnknownOnlyAfterCommit(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	proxy, l := throughProxy(t, b)
	proxy.OnRequest(func(chunk []byte) wallettest.Action {
		if bytes.Contains(chunk, []byte("d-away")) {
			proxy.Refuse(true)
			return wallettest.CutBefore
		}
		return wallettest.Pass
	})
	_, err := l.CreditDeposit(t.Context(), b.request("d-away", "50.00"))
	var unavailable *ledger.UnavailableError
	require.ErrorAs(t, err, &unavailable)
	require.False(t, unavailable.Unknown)
	require.True(t, unavailable.Unavailable())

	proxy.Refuse(false)
	var seen atomic.Int32
	proxy.OnRequest(func(chunk []byte) wallettest.Action {
		if bytes.Contains(chunk, []byte("d-away")) && seen.Add(1) == 2 {
			proxy.Refuse(true)
			return wallettest.CutAfterReply
		}
		return wallettest.Pass
	})
	_, err = l.CreditDeposit(t.Context(), b.request("d-away", "50.00"))
	require.ErrorAs(t, err, &unavailable)
	require.True(t, unavailable.Unknown)

	proxy.Refuse(false)
	proxy.OnRequest(nil)
	posted, err := l.CreditDeposit(t.Context(), b.request("d-away", "50.00"))
	require.NoError(t, err)
	require.True(t, posted.Replayed)
	require.Equal(t, 51, b.count(`select real::int from gaming.wallets`))
	b.requireClosed()
}

func TestCreditDeposit_ABusyWalletIsWaitedForAndTriedAgain(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	_, err := b.credit("d-1", "1.00")
	require.NoError(t, err)
	holder, err := b.owner.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = holder.Rollback(context.WithoutCancel(t.Context())) }()
	_, err = holder.Exec(t.Context(), `select 1 from gaming.wallets for update`)
	require.NoError(t, err)

	done := make(chan error, 1)
	go func() {
		_, err := b.ledger.CreditDeposit(context.WithoutCancel(t.Context()), b.request("d-2", "1.00"))
		done <- err
	}()
	require.Eventually(t, func() bool { return b.ledger.Stats().Retries.Load() > 0 }, 10*time.Second, 5*time.Millisecond,
		"the lock time-out of the role never came")
	require.NoError(t, holder.Rollback(t.Context()))
	require.NoError(t, <-done)
	b.requireClosed()
}

func TestPost_ADeadlockIsTriedAgain(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	first, second := b.movement("d-1", "1.00"), b.movement("d-2", "1.00")
	second.Wallet.User = "u-2"
	_, err := b.post(first, second)
	require.NoError(t, err)
	low, high := first.Wallet.ID(), second.Wallet.ID()
	if low.String() > high.String() {
		low, high = high, low
	}
	// Somebody who does not keep the lock order: high first, then low.
	holder, err := b.owner.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = holder.Rollback(context.WithoutCancel(t.Context())) }()
	_, err = holder.Exec(t.Context(), `select 1 from gaming.wallets where id = $1 for update`, high)
	require.NoError(t, err)

	first.ExternalID, second.ExternalID = "d-3", "d-4"
	done := make(chan error, 1)
	go func() {
		_, err := b.ledger.Post(context.WithoutCancel(t.Context()), []ledger.Request{{first}, {second}})
		done <- err
	}()
	b.waitForBlocked()
	_, err = holder.Exec(t.Context(), `select 1 from gaming.wallets where id = $1 for update`, low)
	if err == nil {
		require.NoError(t, holder.Commit(t.Context()))
	}
	require.NoError(t, <-done)
	require.Equal(t, 2, b.count(`select count(*) from gaming.receipts where external_id in ('d-3', 'd-4')`))
	b.requireClosed()
}

func TestCreditDeposit_TheUniqueKeyHasTheLastWord(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	_, err := b.credit("warm-up", "1.00")
	require.NoError(t, err)
	// Another program, which takes no advisory lock, writes the same deposit
	// for another wallet and has not committed yet: no look-up can see it.
	other := b.movement("other", "1.00")
	other.Wallet.User = "u-2"
	_, err = b.post(other)
	require.NoError(t, err)
	rival, err := b.owner.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = rival.Rollback(context.WithoutCancel(t.Context())) }()
	_, err = rival.Exec(t.Context(), `
with moved as (
  update gaming.wallets set real = real + 7, seq = seq + 1, head = decode(repeat('11', 32), 'hex')
  where id = $1 returning *)
, entry as (
  insert into gaming.entries (wallet_id, seq, kind, external_id, real_before, real_after,
    bonus_before, bonus_after, actor, occurred_at, recorded_at, hash, key_id)
  select id, seq, 'deposit', 'd-raced', real - 7, real, bonus, bonus, 'rival', now(), now(), head, 1
  from moved returning *)
insert into gaming.receipts select wallet_id, seq, kind, external_id from entry`, other.Wallet.ID())
	require.NoError(t, err)

	done := make(chan error, 1)
	go func() {
		_, err := b.ledger.CreditDeposit(context.WithoutCancel(t.Context()), b.request("d-raced", "7.00"))
		done <- err
	}()
	b.waitForBlocked()
	require.NoError(t, rival.Commit(t.Context()))

	var conflict *walletcore.ConflictError
	require.ErrorAs(t, <-done, &conflict)
	require.Equal(t, "user", conflict.Field)
	require.EqualValues(t, 1, b.ledger.Stats().Duplicates.Load())
	require.Equal(t, 1, b.count(`select count(*) from gaming.entries where external_id = 'd-raced'`))
	require.Equal(t, 1, b.count(`select real::int from gaming.wallets where user_id = 'u-1'`), "rolled back, balance included")
}

// waitForBlocked returns when a session of the database waits for a lock.
func (b *bench) waitForBlocked() {
	b.t.Helper()
	require.Eventually(b.t, func() bool { return b.blocked() > 0 }, 20*time.Second, 5*time.Millisecond)
}

// blocked returns how many sessions of the database wait for a lock.
func (b *bench) blocked() int {
	b.t.Helper()
	return b.count(`
select count(*)
from pg_locks
join pg_stat_activity using (pid)
where not granted and datname = current_database()`)
}
