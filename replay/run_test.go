package replay_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/replay"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// manyStuck makes n deposits that are stuck, and repairs the line.
func (b *bench) manyStuck(n int) []replay.Subject {
	b.t.Helper()
	b.line.cut.Store(true)
	var all []replay.Subject
	for range n {
		all = append(all, b.paid("1"))
	}
	b.start()
	b.wait(n, `casino.cases where kind = 'credit_exhausted' and closed_at is null`)
	b.line.cut.Store(false)
	return all
}

func TestRun_SendsAllThatIsStuckAndTellsOfEach(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	n := 60
	if os.Getenv("WALLET_SOAK") != "" {
		n = 1000
	}
	all := b.manyStuck(n)
	items, err := b.ana.Stuck(t.Context(), replay.StuckFilter{Class: "unknown"})
	require.NoError(t, err)
	require.Len(t, items, n)
	var heard []int
	results, err := b.ana.Run(t.Context(), replay.RunOptions{
		Subjects: all, Why: "the line is repaired", Rate: 1000,
		Progress: func(_ replay.Result, done, of int) { heard = append(heard, done); require.Equal(t, n, of) },
	})
	require.NoError(t, err)
	require.Len(t, results, n)
	require.Len(t, heard, n)
	require.Equal(t, n, heard[n-1])
	require.Equal(t, walletcore.MustParseMoney("1").String(), results[0].Receipt.RealAfter.Sub(results[0].Receipt.RealBefore).String())
	items, err = b.ana.Stuck(t.Context(), replay.StuckFilter{})
	require.NoError(t, err)
	require.Empty(t, items)
	require.Equal(t, n, b.count(`gaming.entries where kind = 'deposit'`))
	wallettest.RequireClosed(t, b.admin, wallettest.Keys(t))
}

func TestRun_AnInterruptLetsWhatWasBegunEndAndSaysWhatWasNot(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	all := b.manyStuck(20)
	ctx, cancel := context.WithCancel(t.Context())
	results, err := b.ana.Run(ctx, replay.RunOptions{
		Subjects: all, Why: "drill", Rate: 100, InFlight: 2,
		Progress: func(_ replay.Result, done, _ int) {
			if done == 3 {
				cancel()
			}
		},
	})
	var partial *replay.PartialError
	require.ErrorAs(t, err, &partial)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, len(results), partial.Done)
	require.Zero(t, partial.Failed)
	require.Equal(t, 20-len(results), partial.Left)
	require.GreaterOrEqual(t, len(results), 3)
	require.Less(t, len(results), 20)
	require.Equal(t, len(results), b.count(`(select distinct subject_id from casino.replays) s`), "each that was begun is told")

	// The same again goes on where it was.
	items, err := b.ana.Stuck(t.Context(), replay.StuckFilter{})
	require.NoError(t, err)
	require.Len(t, items, partial.Left)
	_, err = b.ana.Run(t.Context(), replay.RunOptions{Subjects: all, Why: "drill", Rate: 1000})
	require.NoError(t, err)
	require.Equal(t, 20, b.count(`gaming.entries where kind = 'deposit'`))
}

func TestRun_SomeFailAndTheOthersAreDone(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	all := b.manyStuck(3)
	all = append(all, replay.Subject{Type: replay.Deposit, ID: "dep_404"})
	results, err := b.ana.Run(t.Context(), replay.RunOptions{Subjects: all, Why: "drill"})
	var partial *replay.PartialError
	require.ErrorAs(t, err, &partial)
	require.Equal(t, replay.PartialError{Done: 3, Failed: 1}, *partial)
	require.Len(t, results, 4)
}

func TestRun_NobodyWorksAndTheWaitEnds(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.paid("10")
	results, err := b.ana.Run(t.Context(), replay.RunOptions{
		Subjects: []replay.Subject{s}, Why: "drill", Timeout: 300 * time.Millisecond,
	})
	var partial *replay.PartialError
	require.ErrorAs(t, err, &partial)
	require.Equal(t, replay.TimedOut, results[0].Outcome)
	require.Contains(t, results[0].Error, "does casino run?")
}

func TestRun_WhoMayNotSendsNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.paid("10")
	results, err := b.desk("eve", "support").Run(t.Context(), replay.RunOptions{Subjects: []replay.Subject{s}, Why: "drill"})
	require.ErrorIs(t, err, replay.ErrForbidden)
	require.Empty(t, results)
}

func TestRunOptions_WhatCannotBeMeantIsRefused(t *testing.T) {
	t.Parallel()
	one := []replay.Subject{{Type: replay.Deposit, ID: "dep_1"}}
	for name, o := range map[string]replay.RunOptions{
		"nothing":      {Why: "x"},
		"no reason":    {Subjects: one},
		"rate":         {Subjects: one, Why: "x", Rate: -1},
		"too fast":     {Subjects: one, Why: "x", Rate: replay.MaxRate + 1},
		"timeout":      {Subjects: one, Why: "x", Timeout: -1},
		"in flight":    {Subjects: one, Why: "x", InFlight: -1},
		"reason bytes": {Subjects: one, Why: "\xff"},
	} {
		require.Error(t, o.Validate(), name)
	}
}
