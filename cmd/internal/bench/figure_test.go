package bench_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/internal/bench"
)

// script is a measurement that returns the given figures one after the other,
// and writes down that it was its turn.
func script(turns *string, name string, figures ...float64) bench.Measurement {
	return func(context.Context) (float64, error) {
		*turns += name
		next := figures[0]
		figures = figures[1:]
		return next, nil
	}
}

func TestMeasure_AlternatesAndTakesMedians(t *testing.T) {
	t.Parallel()
	var turns string
	subject := bench.Subject{
		Name: "ours", Unit: "calls/s", Run: script(&turns, "o", 50, 40, 90),
		Limits: []bench.Limit{
			{Name: "first", Run: script(&turns, "f", 100, 100, 100), Goal: 0.5},
			{Name: "second", Run: script(&turns, "s", 200, 100, 100)},
		},
	}
	figures, err := subject.Measure(t.Context(), 3)
	require.NoError(t, err)
	require.Equal(t, "ofs"+"fso"+"sof", turns)
	want := []bench.Figure{
		{Name: "ours", LimitName: "first", Unit: "calls/s", Ours: 50, Limit: 100, Ratio: 0.5, Goal: 0.5, Rounds: 3, Spread: 1},
		{Name: "ours", LimitName: "second", Unit: "calls/s", Ours: 50, Limit: 100, Ratio: 0.4, Rounds: 3, Spread: 1.625},
	}
	require.Empty(t, cmp.Diff(want, figures))
}

func TestMeasure_NamesWhatFailed(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	var turns string
	subject := bench.Subject{Name: "ours", Run: script(&turns, "o", 1), Limits: []bench.Limit{
		{Name: "limit", Run: func(context.Context) (float64, error) { return 0, broken }},
	}}
	_, err := subject.Measure(t.Context(), 1)
	require.ErrorIs(t, err, broken)
	require.ErrorContains(t, err, "measure limit")
}

func TestFigure_VerdictKnowsWhatIsBetter(t *testing.T) {
	t.Parallel()
	for want, figure := range map[string]bench.Figure{
		"":        {Ratio: 0.1},
		"reached": {Ratio: 0.5, Goal: 0.5},
		"missed":  {Ratio: 0.5, Goal: 0.4, LessIsBetter: true},
	} {
		require.Equal(t, want, figure.Verdict())
	}
	less := bench.Figure{Ratio: 0.4, Goal: 1, LessIsBetter: true}
	require.Equal(t, "reached", less.Verdict())
	below := bench.Figure{Ratio: 0.4, Goal: 1}
	require.Equal(t, "missed", below.Verdict())
}
