package tui

import (
	tea "github.com/charmbracelet/bubbletea"
)

// question is asked before something is done. Only y does it.
type question struct {
	title string
	lines []string // the effect
	do    func(*model) tea.Cmd
}

const answers = "y yes    n, enter: no"

// draw lays the question out. It may be longer than the window; then it cannot
// be answered with yes.
func (q *question) draw(w int) []string {
	lines := wrap(q.title, w)
	for _, line := range q.lines {
		lines = append(lines, hang("  ", line, w)...)
	}
	return append(lines, wrap(answers, w)...)
}

// answer takes a key: y does it, anything but that is no. Where the window
// does not show the question whole, y does nothing.
func (m *model) answer(msg tea.KeyMsg) tea.Cmd {
	q := m.question
	if is(msg, m.keys.Yes) {
		if len(q.draw(m.width)) > m.height {
			m.message = message{text: "make the window larger to see what would be done", bad: true}
			return nil
		}
		m.question = nil
		return q.do(m)
	}
	if msg.Paste {
		return nil
	}
	m.question = nil
	m.message = message{text: "nothing was done"}
	return nil
}
