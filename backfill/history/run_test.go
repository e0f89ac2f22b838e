package history_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/backfill/history"
)

func TestRun_HistoryEndsAtTodaysBalancesAndMovesNone(t *testing.T) {
	t.Parallel()
	p := live(1, 20, 60)
	s := newSuite(t, p)
	plan := s.plan(p.csv())
	require.True(t, plan.Complete())
	require.EqualValues(t, 20, plan.Closes)
	require.Empty(t, s.entries(), "a plan writes nothing")

	result, err := s.run(p.csv())
	require.NoError(t, err)
	require.EqualValues(t, 20, result.Written)
	require.EqualValues(t, 1200, result.Rows)
	require.Len(t, s.entries(), 1200)
	require.Equal(t, 20, s.count(`select count(*) from gaming.history_parts where whole`))
	s.requireBalances()
}

func TestRun_AgainItSkipsWhatIsIn(t *testing.T) {
	t.Parallel()
	p := live(2, 10, 40)
	s := newSuite(t, p)
	_, err := s.run(p.csv())
	require.NoError(t, err)
	before := s.entries()
	again, err := s.run(p.csv())
	require.NoError(t, err)
	require.EqualValues(t, 10, again.Skipped)
	require.Zero(t, again.Rows)
	require.Equal(t, before, s.entries())
	require.EqualValues(t, 10, s.plan(p.csv()).Done)
	s.requireBalances()
}

func TestRun_ShuffledRowsEndAsSortedOnes(t *testing.T) {
	t.Parallel()
	p := live(3, 10, 50)
	sorted, shuffled := newSuite(t, p), newSuite(t, p)
	_, err := sorted.run(p.csv(), byTime)
	require.NoError(t, err)
	_, err = shuffled.run(p.shuffled(9).csv(), byTime)
	require.NoError(t, err)
	require.Equal(t, sorted.entries(), shuffled.entries())
	shuffled.requireBalances()
}

func TestRun_InPartsTheNewestFirst(t *testing.T) {
	t.Parallel()
	p := live(4, 8, 60)
	s := newSuite(t, p)
	border := p.movements[len(p.movements)*2/3].at
	newer, err := s.run(p.csv(), func(o *history.Options) { o.Since = border })
	require.NoError(t, err)
	require.EqualValues(t, 8, newer.Written)
	require.Zero(t, s.count(`select count(*) from gaming.history_parts where whole`))
	older, err := s.run(p.csv(), func(o *history.Options) { o.Until = border })
	require.NoError(t, err)
	require.EqualValues(t, 8, older.Written)
	require.EqualValues(t, len(p.movements), newer.Rows+older.Rows)
	require.Equal(t, 8, s.count(`select count(*) from gaming.history_parts where whole`))
	s.requireBalances()
}
