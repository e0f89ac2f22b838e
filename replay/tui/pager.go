package tui

import (
	tea "github.com/charmbracelet/bubbletea"
)

// pager is where somebody is in lines that are scrolled.
type pager struct {
	top int
}

// settle keeps a window of so many lines within all of them.
func (p *pager) settle(all, lines int) { p.top = max(0, min(p.top, all-max(1, lines))) }

const bottom = 1 << 30

// scroll takes a key of moving and reports whether it was one.
func (p *pager) scroll(msg tea.KeyMsg, k *keyMap, page int) bool {
	switch {
	case is(msg, k.Up):
		p.top--
	case is(msg, k.Down):
		p.top++
	case is(msg, k.PageUp):
		p.top -= page
	case is(msg, k.PageDown), is(msg, k.Select):
		p.top += page
	case is(msg, k.Top):
		p.top = 0
	case is(msg, k.Bottom):
		p.top = bottom
	default:
		return false
	}
	return true
}

// window is the part of some lines that is on the screen.
func (p *pager) window(lines []string, h int) []string {
	top := min(p.top, len(lines))
	return lines[top:min(top+h, len(lines))]
}
