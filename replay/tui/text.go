package tui

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"github.com/walletctl/walletctl/walletcore/printable"
)

// safe makes data harmless to a terminal and to its columns.
func safe(text string) string {
	text = printable.Text(text)
	if !strings.ContainsFunc(text, unsteady) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if unsteady(r) {
			b.WriteString(printable.Escape(r))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// unsteady reports whether terminals do not agree on the width of what r makes
// of its neighbour: variation selectors, and the modifiers and letters that
// emoji are composed of.
func unsteady(r rune) bool {
	return unicode.Is(unicode.Variation_Selector, r) || unicode.Is(unicode.Regional_Indicator, r) ||
		r >= 0x1f3fb && r <= 0x1f3ff || unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// oneLine is safe for an error, whose text may have several lines.
func oneLine(text string) string { return safe(strings.Join(strings.Fields(text), " ")) }

// width is how many cells a text takes.
func width(text string) int { return ansi.StringWidth(text) }

// cut shortens a text to at most w cells.
func cut(text string, w int) string {
	if w <= 0 {
		return ""
	}
	if width(text) <= w {
		return text
	}
	return ansi.Truncate(text, w, "…")
}

// fit makes a text exactly w cells wide.
func fit(text string, w int) string {
	text = cut(text, w)
	return text + strings.Repeat(" ", max(0, w-width(text)))
}

// fitRight does the same and keeps it to the right.
func fitRight(text string, w int) string {
	text = cut(text, w)
	return strings.Repeat(" ", max(0, w-width(text))) + text
}

// wrap breaks a text into lines of at most w cells, at blanks where there are
// any.
func wrap(text string, w int) []string {
	if w <= 0 {
		return nil
	}
	lines := strings.Split(ansi.Wrap(text, w, ""), "\n")
	for i, line := range lines {
		lines[i] = cut(line, w)
	}
	return lines
}

// hang wraps a text behind a prefix; what follows the first line stands below
// the text. Where the prefix leaves too little, it has a line of its own.
func hang(prefix, text string, w int) []string {
	const enough, indent = 16, 2
	at := width(prefix)
	if w-at < min(enough, width(text)) {
		lines := []string{cut(prefix, w)}
		for _, line := range wrap(text, max(1, w-indent)) {
			lines = append(lines, cut(strings.Repeat(" ", indent)+line, w))
		}
		return lines
	}
	lines := wrap(text, w-at)
	for i, line := range lines {
		if i > 0 {
			prefix = strings.Repeat(" ", at)
		}
		lines[i] = cut(prefix+line, w)
	}
	return lines
}
