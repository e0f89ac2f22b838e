package tui

import (
	"io"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// styles are the few ways to mark a text. The colours are the terminal's own,
// which its owner can read; yellow and white, which a light background
// swallows, are not among them. None says what the text does not.
type styles struct {
	plain, bold, faint, bar, cursor, good, bad, accent, key lipgloss.Style
}

func newStyles(color bool) styles {
	// The renderer asks the terminal nothing: what it may do is given.
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.ANSI)
	r.SetHasDarkBackground(true)
	s := styles{
		plain: r.NewStyle(), bold: r.NewStyle().Bold(true), faint: r.NewStyle().Faint(true),
		bar: r.NewStyle().Bold(true).Reverse(true), cursor: r.NewStyle().Reverse(true),
		good: r.NewStyle().Bold(true), bad: r.NewStyle().Bold(true), accent: r.NewStyle(), key: r.NewStyle().Bold(true),
	}
	if color {
		s.good = s.good.Foreground(lipgloss.Color("2"))
		s.bad = s.bad.Foreground(lipgloss.Color("1"))
		s.accent = s.accent.Foreground(lipgloss.Color("6"))
		s.key = s.key.Foreground(lipgloss.Color("6"))
	}
	return s
}
