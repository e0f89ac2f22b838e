package backfill_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/backfill"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

func TestBringForward_WalletsComeInOnceWithTheirBalanceAndTheirChainsClose(t *testing.T) {
	t.Parallel()
	r := newRollout(t)
	o := r.begun()
	done, err := o.BringForward(t.Context(), source(players(25)...))
	require.NoError(t, err)
	require.Equal(t, backfill.Brought{In: 25}, done)
	before := r.dump()

	again, err := o.BringForward(t.Context(), source(players(25)...))
	require.NoError(t, err)
	require.Equal(t, backfill.Brought{Present: 25}, again)
	require.Equal(t, before, r.dump())
	require.Equal(t, 25, r.count(`
select count(*)
from gaming.entries
where kind = 'brought_forward' and seq = 0 and actor = 'backfill' and reference like 'balances.csv:%'`))
	totals, err := o.Totals(t.Context())
	require.NoError(t, err)
	require.Empty(t, totals.Compare(r.sum(players(25)...)))
	r.requireClosed()
}

func TestBringForward_AWalletThatIsInWithAnotherBalanceIsRefusedAndTheOthersGoOn(t *testing.T) {
	t.Parallel()
	r := newRollout(t)
	o := r.begun()
	_, err := o.BringForward(t.Context(), source(players(5)...))
	require.NoError(t, err)
	changed := players(15)
	changed[3].Real = walletcore.MustParseMoney("3.01")
	changed[4].Bonus = walletcore.MustParseMoney("0")
	changed = append(changed, balance("u-14", "14.00", "7.50"), balance("u-14", "14.01", "7.50"))

	_, err = o.BringForward(t.Context(), source(changed...))
	var partial *backfill.PartialError
	require.ErrorAs(t, err, &partial)
	require.Equal(t, backfill.Brought{In: 10, Present: 4, Refused: 3}, partial.Brought)
	require.NoError(t, partial.Err)
	var other *backfill.BalanceError
	for i, user := range []string{"u-3", "u-4", "u-14"} {
		require.Equal(t, user, partial.Refusals[i].Wallet.User)
		require.ErrorAs(t, partial.Refusals[i], &other)
	}
	require.EqualError(t, partial.Refusals[0], "balances.csv:5: wallet newbrand/u-3/EUR is in with another balance: "+
		"real 3.00000000 and bonus 1.50000000, given 3.01000000 and 1.50000000")
	require.Equal(t, 15, r.count(`select count(*) from gaming.wallets`))
	r.requireClosed()
}

func TestBringForward_WhatCanNeverBeAWalletIsRefused(t *testing.T) {
	t.Parallel()
	r := newRollout(t)
	o := r.begun()
	long := balance("u-6", "1", "0")
	long.Position = "a\tb"
	_, err := o.BringForward(t.Context(), source(
		balance("u-1", "-0.00000001", "0"), balance("u-2", "1", "-1"), balance("", "1", "0"), balance(" u", "1", "0"),
		backfill.Balance{User: "u-3", Currency: "eur"}, backfill.Balance{User: "u-4", Currency: "EUR", Real: walletcore.MoneyFromUnits(1 << 62)},
		long, balance("u-5", "9999999999.99999999", "0")))
	var partial *backfill.PartialError
	require.ErrorAs(t, err, &partial)
	require.Equal(t, backfill.Brought{In: 1, Refused: 7}, partial.Brought)
	require.ErrorIs(t, partial.Refusals[0], backfill.ErrDebt)
	require.ErrorIs(t, partial.Refusals[1], backfill.ErrNegativeBonus)
	for _, refusal := range partial.Refusals[2:] {
		var field *walletcore.FieldError
		require.ErrorAs(t, refusal, &field)
	}
	r.requireClosed()
}

func TestBringForward_ADebtComesInWhereItIsDeclared(t *testing.T) {
	t.Parallel()
	r := newRollout(t)
	o := r.begun(func(o *backfill.OpeningOptions) { o.AllowDebt = true })
	done, err := o.BringForward(t.Context(), source(balance("u-1", "-12.50", "3")))
	require.NoError(t, err)
	require.EqualValues(t, 1, done.In)
	require.Equal(t, 1, r.count(`select count(*) from gaming.wallets where real = -12.5 and debt_limit = 12.5 and bonus = 3`))
	r.requireClosed()
}

func TestBringForward_ASourceThatBreaksOffKeepsWhatCameInAndGoesOnLater(t *testing.T) {
	t.Parallel()
	r := newRollout(t)
	o := r.begun()
	done, err := o.BringForward(t.Context(), torn(players(25)...))
	var partial *backfill.PartialError
	require.ErrorAs(t, err, &partial)
	require.ErrorIs(t, err, errTorn)
	require.Equal(t, backfill.Brought{In: 20}, done, "whole batches")

	done, err = o.BringForward(t.Context(), source(players(25)...))
	require.NoError(t, err)
	require.Equal(t, backfill.Brought{In: 5, Present: 20}, done)
	r.requireClosed()
}

func TestBringForward_OnlyWhileTheBrandIsImporting(t *testing.T) {
	t.Parallel()
	r := newRollout(t)
	o := r.opening()
	_, err := o.BringForward(t.Context(), source(players(1)...))
	var state *backfill.StateError
	require.ErrorAs(t, err, &state)
	require.Equal(t, &backfill.StateError{Brand: newBrand, State: walletcore.BrandClosed, Want: walletcore.BrandImporting}, state)
	r.db.OpenBrand(t, newBrand)
	_, err = o.BringForward(t.Context(), source(players(1)...))
	require.ErrorAs(t, err, &state)
	require.Equal(t, walletcore.BrandLive, state.State)
	require.ErrorAs(t, o.Begin(t.Context(), ""), &state, "it never goes back")
	require.Zero(t, r.count(`select count(*) from gaming.wallets`))
}

func TestBringForward_TwoRunsExcludeEachOther(t *testing.T) {
	t.Parallel()
	r := newRollout(t)
	o := r.begun()
	second := r.opening()
	var inner error
	_, err := o.BringForward(t.Context(), func(yield func(backfill.Balance, error) bool) {
		_, inner = second.BringForward(t.Context(), source(players(1)...))
		for _, b := range players(2) {
			if !yield(b, nil) {
				return
			}
		}
	})
	require.NoError(t, err)
	require.ErrorIs(t, inner, backfill.ErrRunning)
	_, err = second.BringForward(t.Context(), source(players(2)...))
	require.NoError(t, err, "the lock is gone with the run")
}

func TestBringForward_ALoginThatIsNoMemberOfBackfillDoesNothing(t *testing.T) {
	t.Parallel()
	r := newRollout(t)
	r.begun()
	for _, role := range []wallettest.Role{wallettest.Gaming, wallettest.Auditor} {
		o := r.opening(func(o *backfill.OpeningOptions) { o.Pool = r.db.Pool(t, role) })
		_, err := o.BringForward(t.Context(), source(players(1)...))
		require.ErrorIs(t, err, backfill.ErrForbidden)
		require.ErrorIs(t, o.Begin(t.Context(), ""), backfill.ErrForbidden)
	}
	require.Zero(t, r.count(`select count(*) from gaming.wallets`))
}

func TestBringForward_ThousandsInBatchesOfAThousand(t *testing.T) {
	t.Parallel()
	r := newRollout(t)
	var heard []int64
	o := r.begun(func(o *backfill.OpeningOptions) {
		o.Batch = 0
		o.Progress = func(b backfill.Brought) { heard = append(heard, b.In) }
	})
	_, err := o.BringForward(t.Context(), source(players(3500)...))
	require.NoError(t, err)
	require.Equal(t, []int64{1000, 2000, 3000, 3500}, heard)
	r.requireClosed()
}

func TestBringForward_ADryRunSaysWhatWouldComeInAndWritesNothing(t *testing.T) {
	t.Parallel()
	r := newRollout(t)
	dry := r.opening(func(o *backfill.OpeningOptions) { o.DryRun = true })
	done, err := dry.BringForward(t.Context(), source(players(15)...))
	require.NoError(t, err)
	require.Equal(t, backfill.Brought{In: 15}, done)
	require.Zero(t, r.count(`select count(*) from gaming.wallets`))

	_, err = r.begun().BringForward(t.Context(), source(players(5)...))
	require.NoError(t, err)
	done, err = dry.BringForward(t.Context(), source(append(players(15), balance("u-20", "-1", "0"))...))
	var partial *backfill.PartialError
	require.ErrorAs(t, err, &partial)
	require.Equal(t, backfill.Brought{In: 10, Present: 5, Refused: 1}, done)
	require.Equal(t, 5, r.count(`select count(*) from gaming.wallets`))
}
