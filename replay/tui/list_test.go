package tui_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
)

func TestList_CursorAndSelectionStayWithTheirCases(t *testing.T) {
	t.Parallel()
	d := &desk{items: items(100)}
	p := sit(t, d, 100, 20)
	p.press("pgdown", "pgdown", "space", "space")
	current := p.current()
	line := slices.Index(p.lines(), current)
	require.Contains(t, current, "player-")

	d.change(func(d *desk) { d.items = d.items[5:] })
	p.press("ctrl+r")
	p.see(" 95  EUR")
	require.Equal(t, current, p.current())
	require.Equal(t, line, slices.Index(p.lines(), p.current()), "the window moved")
	require.Contains(t, p.view(), "2 selected")

	d.change(func(d *desk) { d.items = items(100)[:8] })
	p.press("ctrl+r")
	p.see(" 8  EUR")
	require.Contains(t, p.current(), "player-8", "where its case is gone the cursor stays within")
	require.NotContains(t, p.view(), "selected")
}

func TestList_SearchLooksThroughEveryField(t *testing.T) {
	t.Parallel()
	p := sit(t, &desk{items: mixed()}, 160, 20)
	for text, want := range map[string]int{
		"山田": 1, "ACME": 2, "jpy": 1, "9,000": 1, "dep_0002": 1, "invalid": 1, "ben": 1, "casino-3": 1,
		"effect_exhausted": 1, "bravo player": 1, "gone": 1, "no such thing": 0, "": 4,
	} {
		p.press("/")
		p.write(text)
		require.Equal(t, want, rows(p), text)
		p.press("enter")
		require.Equal(t, want, rows(p), text)
		p.press("esc")
		require.Equal(t, 4, rows(p), "esc takes the search back")
	}
	p.press("/")
	p.write("zoe")
	require.Equal(t, 1, rows(p))
	p.press("esc")
	require.Equal(t, 4, rows(p), "leaving the search takes it back")
}

// rows counts the rows that the window shows.
func rows(p *person) int {
	n := 0
	for _, line := range p.lines() {
		if strings.Contains(line, "  acme  ") || strings.Contains(line, "  bravo  ") {
			n++
		}
	}
	return n
}

func TestList_SortsBothWaysByEachField(t *testing.T) {
	t.Parallel()
	all := items(3)
	all[0].Amount, all[0].Brand, all[0].Attempts, all[0].Class = walletcore.MustParseMoney("5"), "b", 7, "invalid"
	all[1].Amount, all[1].Brand, all[1].Attempts, all[1].Class = walletcore.MustParseMoney("9"), "c", 6, "conflict"
	all[2].Amount, all[2].Brand, all[2].Attempts, all[2].Class = walletcore.MustParseMoney("7"), "a", 8, "unknown"
	slices.Reverse(all)
	p := sit(t, &desk{items: all}, 120, 20)
	players := func() string {
		var b strings.Builder
		for _, line := range p.lines() {
			if _, after, ok := strings.Cut(line, "player-"); ok {
				b.WriteString(after[:1])
			}
		}
		return b.String()
	}
	for _, want := range []struct{ by, order string }{
		{"age", "123"}, {"amount", "231"}, {"brand", "312"}, {"attempts", "312"}, {"class", "213"}, {"age", "123"},
	} {
		require.Contains(t, p.view(), "by "+want.by)
		require.Equal(t, want.order, players(), want.by)
		p.press("S")
		reversed := []rune(want.order)
		slices.Reverse(reversed)
		require.Equal(t, string(reversed), players(), want.by)
		p.press("S", "s")
	}
}

func TestList_FilterNarrowsByOneValueADimension(t *testing.T) {
	t.Parallel()
	p := sit(t, &desk{items: mixed()}, 120, 30)
	pick := func(text string) {
		p.press("f")
		for !strings.Contains(p.choice(), text) {
			before := p.choice()
			p.press("down")
			require.NotEqual(t, before, p.choice(), "the picker has no "+text)
		}
		p.press("enter")
	}
	pick("brand acme")
	require.Equal(t, 2, rows(p))
	pick("owner anna")
	require.Equal(t, 1, rows(p))
	require.Contains(t, p.view(), "only brand acme, owner anna")
	pick("brand acme")
	require.Equal(t, 1, rows(p), "chosen again it lets all pass")
	pick("owner nobody")
	require.Equal(t, 2, rows(p))
	pick("everything")
	require.Equal(t, 4, rows(p))
}

func TestList_MoneyIsCountedOnceADeposit(t *testing.T) {
	t.Parallel()
	all := mixed()
	twice := all[0]
	twice.Kind, twice.Case.Number = "key_conflict", 99
	p := sit(t, &desk{items: append(all, twice)}, 120, 20)
	require.Contains(t, p.lines()[0], "stuck  5  EUR 25.00, JPY 9,000 ", "an effect moves no money")
	p.press("a")
	require.Contains(t, p.view(), "5 selected, EUR 25.00, JPY 9,000")
	p.press("/")
	p.write("jpy")
	require.Contains(t, p.lines()[0], "stuck  1 of 5  JPY 9,000 ")
	require.Contains(t, p.view(), "5 selected, JPY 9,000, 4 of them hidden")
}

func TestView_CostsWhatIsVisible(t *testing.T) {
	cost := func(n int) int {
		p := sit(t, &desk{items: items(n)}, 120, 40)
		p.press("a", "G", "up")
		return int(testing.AllocsPerRun(20, func() { p.model.View() }))
	}
	few, many := cost(100), cost(50_000)
	require.Less(t, many, few+few/4, "allocations to draw 100 rows: %d", few)
}

func TestList_MovesThroughTenThousandWithoutReadingThemAgain(t *testing.T) {
	t.Parallel()
	d := &desk{items: items(10_000)}
	p := sit(t, d, 100, 30)
	require.Contains(t, p.lines()[0], "stuck  10,000  EUR 50,110,000.00")
	p.press("G")
	require.Contains(t, p.current(), "player-10000")
	p.press("pgup", "g", "pgdown", "G", "a")
	require.Contains(t, p.view(), "10,000 selected")
	require.Equal(t, 1, d.read)
	p.pass(5 * time.Second)
	p.see("read at 12:03:09")
	require.Contains(t, p.current(), "player-10000")
}
