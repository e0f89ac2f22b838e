package tui_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/replay"
	"github.com/walletctl/walletctl/replay/tui"
)

var update = flag.Bool("update", false, "write the golden files again")

// requireGolden compares with a file that people can read: escapes are shown.
func requireGolden(t *testing.T, name, got string) {
	t.Helper()
	got = strings.ReplaceAll(got, "\x1b", "␛") + "\n"
	path := filepath.Join("testdata", name+".golden")
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(string(want), got))
}

// told is the story of mixed's second item.
func told() replay.Story {
	return replay.Story{
		Facts: []replay.Fact{{Name: "deposit", Value: "dep_0002"}, {Name: "status", Value: "confirmed"}},
		Moments: []replay.Moment{
			{At: noon.Add(-time.Hour), Where: "gateway", What: "message: confirmed", Detail: "applied 9000 JPY pay-1 payment", CorrelationID: "c-1"},
			{At: noon.Add(-time.Minute), Where: "casino", What: "credit_failed", Detail: "attempt 6 unavailable: \x1b[2Jgaming does not answer; it was asked six times and waited for ten seconds each time"},
			{At: noon, Where: "oncall", What: "case casino-2 (credit_exhausted) claimed", Actor: "山田"},
		},
		Missing: []string{"gaming's ledger: no database of gaming is given"},
	}
}

func TestView_LooksAsItDid(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{80, 24}, {120, 40}, {40, 10}} {
		p := sit(t, &desk{items: mixed(), story: told()}, size[0], size[1])
		name := func(what string) string { return fmt.Sprintf("%s-%dx%d", what, size[0], size[1]) }
		p.press("down", "space")
		requireGolden(t, name("list"), p.view())
		p.press("a", "r")
		requireGolden(t, name("question"), p.view())
		p.press("n", "f")
		requireGolden(t, name("filter"), p.view())
		p.press("esc", "g", "down", "enter")
		p.see("read at")
		requireGolden(t, name("detail"), p.view())
		p.press("?")
		requireGolden(t, name("help"), p.view())
	}
}

func TestView_WithoutColourThereIsNone(t *testing.T) {
	t.Parallel()
	for _, color := range []bool{false, true} {
		p := sit(t, &desk{items: mixed(), story: told()}, 80, 24, func(o *tui.Options) { o.Color = color })
		p.press("space", "c")
		p.see("checked: cannot tell")
		requireGolden(t, fmt.Sprintf("styles-color-%t", color), p.model.View())
		require.Equal(t, color, strings.Contains(p.model.View(), "\x1b[1;31m"), "bad news in red")
	}
}

func TestHelp_NamesEveryKey(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"Yes"}, tui.KeysInNoHelp(), "y is named where it is asked for")
}
