package replay_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/replay"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

func (b *bench) confirmedAt(s replay.Subject) time.Time {
	b.t.Helper()
	d, err := b.deposits.Find(b.t.Context(), s.ID)
	require.NoError(b.t, err)
	return *d.ConfirmedAt
}

// stuckDebit makes a withdrawal whose debit is exhausted. The line is cut.
func (b *bench) stuckDebit(amount string) replay.Subject {
	b.t.Helper()
	b.line.cut.Store(true)
	w := b.withdraw(amount)
	b.waitCase(w, "debit_exhausted")
	return w
}

func TestReplay_ADebitIsMadeOnceAndItsPayoutAskedForOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	b.rich("100")
	w := b.stuckDebit("20")
	require.Equal(t, replay.Failed, b.replayed(b.ana, w).Outcome)
	b.line.cut.Store(false)
	r := b.replayed(b.ana, w)
	require.True(t, r.OK(), "%+v", r)
	require.Equal(t, walletcore.KindWithdrawal, r.Receipt.Kind)
	b.wait(1, `casino.withdrawals where payout_requested_at is not null`)
	require.Equal(t, replay.NotDue, b.replayed(b.ana, w).Outcome, "it waits for whoever pays")
	b.outcome(w, walletcore.PaymentPaid)
	again := b.replayed(b.ana, w)
	require.True(t, again.OK())
	require.Equal(t, "paid", again.Status)
	require.Equal(t, r.Receipt, again.Receipt)
	b.quiet()
	require.EqualValues(t, 1, b.line.payouts.Load())
	require.Equal(t, "80.00000000", b.balance())
	require.Zero(t, b.count(`casino.cases where closed_at is null`))
	wallettest.RequireClosed(t, b.admin, wallettest.Keys(t))
}

func TestReplay_ADebitThatTheWalletRefusesNowIsWaitedForUntilItIsClosed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	b.rich("10")
	w := b.stuckDebit("20")
	b.line.cut.Store(false)
	r := b.replayed(b.ana, w)
	require.True(t, r.OK(), "%+v", r)
	require.Equal(t, "reversed", r.Status)
	require.Equal(t, "10.00000000", b.balance())
	b.quiet()
	require.Zero(t, b.line.payouts.Load())
	require.Zero(t, b.count(`casino.cases where closed_at is null`))
}

func TestReplay_AReversalGivesBackOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	b.rich("100")
	w := b.withdraw("20")
	b.wait(1, `casino.withdrawals where payout_requested_at is not null`)
	b.line.cut.Store(true)
	b.outcome(w, walletcore.PaymentRejected)
	b.waitCase(w, "reversal_exhausted")
	require.Equal(t, replay.Failed, b.replayed(b.ana, w).Outcome)
	b.line.cut.Store(false)
	r := b.replayed(b.ana, w)
	require.True(t, r.OK(), "%+v", r)
	require.Equal(t, "reversed", r.Status)
	require.Equal(t, walletcore.KindWithdrawalReversal, r.Receipt.Kind)
	again := b.replayed(b.ana, w)
	require.Equal(t, r, again)
	require.Equal(t, "100.00000000", b.balance())
	require.Zero(t, b.count(`casino.cases where closed_at is null`))
	wallettest.RequireClosed(t, b.admin, wallettest.Keys(t))
}

// What was given back is never paid, however often it is sent again.
func TestReplay_WhatWasGivenBackAsksForNoPayout(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	b.rich("100")
	w := b.stuckDebit("20")
	b.line.cut.Store(false)
	b.outcome(w, walletcore.PaymentRejected) // called off
	b.waitStatus(w, "reversed")
	for range 3 {
		r := b.replayed(b.ana, w)
		require.True(t, r.OK(), "%+v", r)
		require.Equal(t, "reversed", r.Status)
	}
	b.quiet()
	require.Zero(t, b.line.payouts.Load())
	require.Equal(t, "100.00000000", b.balance())
	require.Equal(t, 3, b.count(`casino.replays where subject_id = $1 and outcome = 'done'`, w.ID))
	require.Zero(t, b.count(`casino.withdrawal_events where kind = 'replayed'`))
}
