package replay_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/replay"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

func TestReplay_WhatIsCreditedIsAnsweredWithItsReceipt(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	s := b.stuck("10")
	failed := b.replayed(b.ana, s)
	require.Equal(t, replay.Failed, failed.Outcome)
	require.Equal(t, errDown.Error(), failed.Error)
	require.Equal(t, "unknown", failed.Class)
	require.Nil(t, failed.Receipt)

	b.line.cut.Store(false)
	first := b.replayed(b.ana, s)
	require.True(t, first.OK())
	require.Equal(t, "credited", first.Status)
	require.Equal(t, s.ID, first.Receipt.ExternalID)
	second := b.replayed(b.ana, s)
	require.Equal(t, first.Receipt, second.Receipt)
	require.Equal(t, "10.00000000", b.balance())
	require.Zero(t, b.count(`casino.cases where closed_at is null`))
	require.GreaterOrEqual(t, b.count(`casino.replays where actor like 'ana_%' and subject_id = $1`, s.ID), 3)
	wallettest.RequireClosed(t, b.admin, wallettest.Keys(t))
}

func TestReplay_WhatWasCreditedUnheardMovesNothingAgain(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	b.line.deaf.Store(true)
	s := b.paid("10")
	b.waitCase(s, "credit_exhausted")
	require.Equal(t, "10.00000000", b.balance())
	b.line.deaf.Store(false)
	require.True(t, func() bool { r := b.replayed(b.ana, s); return r.OK() }())
	require.Equal(t, "10.00000000", b.balance())
	wallettest.RequireClosed(t, b.admin, wallettest.Keys(t))
}

func TestReplay_OfTwoPeopleAtOnceCreditsOnceAndTellsBoth(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	s := b.stuck("10")
	b.line.cut.Store(false)
	desks := []*replay.Desk{b.ana, b.desk("bea", "oncall"), b.desk("cem", "supervisor")}
	results := make([]replay.Result, len(desks))
	var wait sync.WaitGroup
	for i, d := range desks {
		wait.Go(func() { results[i] = b.replayed(d, s) })
	}
	wait.Wait()
	for _, r := range results {
		require.True(t, r.OK(), "%+v", r)
		require.Equal(t, results[0].Receipt, r.Receipt)
	}
	require.Equal(t, "10.00000000", b.balance())
	require.Equal(t, 3, b.count(`(select distinct actor from casino.replays where subject_id = $1) a`, s.ID))
	require.Equal(t, 1, b.count(`gaming.entries where external_id = $1`, s.ID))
}

func TestReplay_WhileItIsAtWorkWaitsForThatWork(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	gate := make(chan struct{})
	b.line.blocked.Store(&gate)
	b.start()
	s := b.paid("10")
	b.wait(1, `casino.river_job where kind = 'deposit_credit' and state = 'running'`)
	sent, err := b.ana.Send(t.Context(), s, "impatient")
	require.NoError(t, err)
	require.Equal(t, replay.Running, sent.Outcome)
	looked, err := b.ana.Look(t.Context(), sent)
	require.NoError(t, err)
	require.Equal(t, replay.Running, looked.Outcome)
	close(gate)
	result, err := b.ana.Wait(b.patience(), sent)
	require.NoError(t, err)
	require.True(t, result.OK())
	require.Equal(t, "10.00000000", b.balance())
}

// An attempt writes its failure down before the queue knows that the job has
// ended: who asks in between finds it running.
func TestReplay_OfAnAttemptThatHasJustEndedIsAskedForOnceMore(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	s := b.stuck("10")
	b.quiet()
	b.line.cut.Store(false)
	b.exec(`update casino.river_job set state = 'running', finalized_at = null where kind = 'deposit_credit'`)
	sent, err := b.ana.Send(t.Context(), s, "at once")
	require.NoError(t, err)
	require.Equal(t, replay.Running, sent.Outcome)
	b.exec(`update casino.river_job set state = 'discarded', finalized_at = now() where kind = 'deposit_credit'`)
	result, err := b.ana.Wait(b.patience(), sent)
	require.NoError(t, err)
	require.True(t, result.OK(), "%+v", result)
}

func TestReplay_AJobThatIsGoneComesBackByTheSweep(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	s := b.stuck("10")
	b.quiet()
	b.line.cut.Store(false)
	b.exec(`delete from casino.river_job`)
	sent, err := b.ana.Send(t.Context(), s, "its job is gone")
	require.NoError(t, err)
	require.Equal(t, replay.Lost, sent.Outcome)
	_, err = b.queue.SweepLost(t.Context())
	require.NoError(t, err)
	result, err := b.ana.Wait(b.patience(), sent)
	require.NoError(t, err)
	require.True(t, result.OK())
	require.Equal(t, "10.00000000", b.balance())
}

func TestReplay_WhatCannotSucceedFailsEachTime(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	b.line.cut.Store(true)
	s := b.paid("10")
	// The ledger has this id for another player.
	_, err := b.line.Ledger.CreditDeposit(t.Context(), walletcore.DepositCredit{
		DepositID: s.ID, Wallet: walletcore.WalletKey{Brand: "north", User: "u-2", Currency: "EUR"},
		Amount: walletcore.MustParseMoney("10"), OccurredAt: b.confirmedAt(s),
	})
	require.NoError(t, err)
	b.waitCase(s, "credit_exhausted")
	b.line.cut.Store(false)
	for range 2 {
		r := b.replayed(b.ana, s)
		require.Equal(t, replay.Failed, r.Outcome)
		require.Equal(t, "conflict", r.Class)
	}
	require.Equal(t, 1, b.count(`casino.cases where kind = 'key_conflict' and closed_at is null`))
	require.Equal(t, "0.00000000", b.balance())
}

func TestReplay_WhatIsNotOursToSendIsLeftAlone(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	charged := b.stuck("10")
	d, err := b.deposits.Find(t.Context(), charged.ID)
	require.NoError(t, err)
	b.tell(&d, walletcore.PaymentChargeback)
	b.quiet()
	b.line.cut.Store(false)
	require.Equal(t, replay.ChargedBack, b.replayed(b.ana, charged).Outcome)
	b.exec(`insert into casino.deposits (id, brand_id, user_id, currency, amount, gateway, account, idempotency_key, created_at, expires_at)
values ('dep_new', 'north', 'u-1', 'EUR', 5, 'generic', 'north-main', 'k', now(), now() + interval '1 hour')`)
	require.Equal(t, replay.NotDue, b.replayed(b.ana, replay.Subject{Type: replay.Deposit, ID: "dep_new"}).Outcome)
	for _, s := range []replay.Subject{
		{Type: replay.Deposit, ID: "dep_404"}, {Type: replay.Withdrawal, ID: "wd_404"}, {Type: replay.Effect, ID: "dep_404/promotions"},
	} {
		require.Equal(t, replay.Unknown, b.replayed(b.ana, s).Outcome, s.ID)
	}
	_, err = b.ana.Send(t.Context(), replay.Subject{Type: replay.Wallet, ID: "x"}, "drill")
	require.Error(t, err)
	b.quiet()
	require.Equal(t, "0.00000000", b.balance())
	require.Zero(t, b.count(`casino.deposit_events where kind = 'replayed'`))
	require.Equal(t, 5, b.count(`casino.replays`), "what came to nothing is recorded as well")
}

func TestReplay_ADryRunLeavesNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	s := b.stuck("10")
	b.quiet()
	b.line.cut.Store(false)
	sent, err := b.ana.DryRun(t.Context(), s)
	require.NoError(t, err)
	require.Equal(t, replay.Queued, sent.Outcome)
	require.Zero(t, b.count(`casino.replays`))
	require.Zero(t, b.count(`casino.deposit_events where kind = 'replayed'`))
	require.Equal(t, 1, b.count(`casino.river_job where kind = 'deposit_credit' and state = 'discarded'`))
}

func TestReplay_AnEffectIsPublishedAndItsCaseClosed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	b.line.mute.Store("promotions")
	d := b.paid("10")
	s := replay.Subject{Type: replay.Effect, ID: d.ID + "/promotions"}
	b.waitCase(s, "effect_exhausted")
	b.quiet()
	r := b.replayed(b.ana, s)
	require.Equal(t, replay.Failed, r.Outcome)
	require.Contains(t, r.Error, errDown.Error())

	b.line.mute.Store("affiliates") // the other one's trouble is not this one's
	result := b.replayed(b.ana, s)
	require.True(t, result.OK(), "%+v", result)
	result = b.replayed(b.ana, s)
	require.True(t, result.OK())
	require.Zero(t, b.count(`casino.cases where closed_at is null`))
	require.EqualValues(t, 2, b.line.effects.Load())
}
