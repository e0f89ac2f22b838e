package printable_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/printable"
)

func TestText_ShowsWhatActsOrHides(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain":         "plain",
		"日本 é 🎰":        "日本 é 🎰",
		"":              "",
		"a\x1b[2Jb":     `a\u001b[2Jb`,
		"two\nlines\t.": `two\u000alines\u0009.`,
		"del\x7f":       `del\u007f`,
		"c1\u009b31m":   `c1\u009b31m`,
		"bidi\u202egnp": `bidi\u202egnp`,
		"zero\u200bw":   `zero\u200bw`,
		"sep\u2028line": `sep\u2028line`,
		"tag\U000e0041": `tag\udb40\udc41`,
		"bad\xffutf":    `bad\xffutf`,
	} {
		require.Equal(t, want, printable.Text(text))
	}
}
