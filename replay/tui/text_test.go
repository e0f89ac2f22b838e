package tui_test

import (
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/walletctl/walletctl/replay/tui"
)

func TestSafe_LeavesNothingThatActsOrMisaligns(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain": "plain", "山田🎰": "山田🎰", "e\u0301": "e\u0301", "\x1b[2J\a": `\u001b[2J\u0007`,
		"❤\ufe0f": `❤\ufe0f`, "👍🏽": `👍\ud83c\udffd`, "🇩🇪": `\ud83c\udde9\ud83c\uddea`, "a\tb\u202e": `a\u0009b\u202e`,
	} {
		require.Equal(t, want, tui.Safe(text))
	}
}

func TestFit_IsExactInCells(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text, w := tui.Safe(rapid.String().Draw(t, "text")), rapid.IntRange(0, 40).Draw(t, "width")
		require.Equal(t, w, tui.Width(tui.Fit(text, w)), "%q", text)
		require.LessOrEqual(t, tui.Width(tui.Cut(text, w)), w, "%q", text)
		for _, line := range tui.Hang("prefix: ", text, w) {
			require.LessOrEqual(t, tui.Width(line), w, "%q", text)
		}
	})
	require.Equal(t, "山…", tui.Cut("山田太", 4))
	require.Equal(t, "山… ", tui.Fit("山田太", 4))
}

func TestAge_FitsSixCharacters(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		-time.Hour: "0s", 59 * time.Second: "59s", time.Minute: "1m", 61 * time.Minute: "1h01m", 23*time.Hour + 59*time.Minute: "23h59m",
		24 * time.Hour: "1d00h", 99*24*time.Hour + 23*time.Hour: "99d23h", 100 * 24 * time.Hour: "100d", 1<<63 - 1: "99999d",
	} {
		require.Equal(t, want, tui.Age(d))
		require.LessOrEqual(t, len(tui.Age(d)), 6)
	}
}

func TestAmount_IsWrittenForPeopleAndExactly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ amount, currency, want string }{
		{"4210", "EUR", "4,210.00"},
		{"-0.5", "EUR", "-0.50"},
		{"0.12345678", "EUR", "0.12345678"},
		{"9000", "JPY", "9,000"},
		{"1", "KWD", "1.000"},
		{"1.5", "USDT", "1.5"},
		{"100", "DOGE", "100"},
		{"123456789012", "EUR", "123,456,789,012.00"},
		{"999", "JPY", "999"},
		{"0.00000001", "BTC", "0.00000001"},
	} {
		require.Equal(t, c.want, tui.Amount(decimal.RequireFromString(c.amount), c.currency))
	}
}
