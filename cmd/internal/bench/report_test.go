package bench_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/internal/bench"
)

func report() bench.Report {
	return bench.Report{
		Machine: []string{"2 processors", "PostgreSQL 15"},
		Figures: []bench.Figure{
			{Name: "credits", LimitName: "pgbench", Unit: "credits/s", Ours: 8123.4, Limit: 18000, Ratio: 0.4513, Goal: 0.45, Rounds: 3, Spread: 0.062},
			{Name: "peak memory", LimitName: "bound", Unit: "MB", Ours: 88, Limit: 200, Ratio: 0.44, Goal: 1, LessIsBetter: true, Rounds: 3},
		},
	}
}

func TestReport_JSONIsAnArrayOfFigures(t *testing.T) {
	t.Parallel()
	r := report()
	var text strings.Builder
	require.NoError(t, r.WriteJSON(&text))
	var figures []bench.Figure
	require.NoError(t, json.Unmarshal([]byte(text.String()), &figures))
	require.Empty(t, cmp.Diff(r.Figures, figures))
	for _, name := range []string{"name", "ours", "limit", "ratio", "goal", "unit", "rounds", "spread"} {
		require.Contains(t, text.String(), `"`+name+`":`)
	}
}

func TestReport_TablesShowRatioGoalAndVerdict(t *testing.T) {
	t.Parallel()
	r := report()
	var table, page strings.Builder
	require.NoError(t, r.WriteTable(&table))
	require.NoError(t, r.WriteMarkdown(&page))
	for _, text := range []string{table.String(), page.String()} {
		require.Regexp(t, `credits +. pgbench +. credits/s +. +8,123 . +18,000 . +0\.45 . +0\.45 . reached . +6 %`, text)
		require.Regexp(t, `peak memory +. bound +. MB +. +88 . +200 . +0\.44 . +1\.00 . reached`, text)
	}
	require.Contains(t, page.String(), "- 2 processors\n- PostgreSQL 15\n\n|")
}
