package tui

import (
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
)

// plan is how the window's lines are shared out.
type plan struct {
	header, state, head bool
	body                int
	status              []string // laid out
	panel               []string // question, prompt or picker, laid out
	footer              bool
}

// plan gives the panel what it needs, the list at least a line where there is
// one left, and the rest by what is missed most.
func (m *model) plan() plan {
	p := plan{panel: m.panel()}
	left := m.height - len(p.panel)
	take := func(wanted bool, least int) bool {
		if wanted && left >= least {
			left--
			return true
		}
		return false
	}
	p.header = take(true, 3)
	for _, line := range m.statusLines() {
		if take(true, 4+2*len(p.status)) {
			p.status = append(p.status, line)
		}
	}
	p.head = take(m.screen == listScreen, 4)
	p.footer = take(true, 5)
	p.state = take(true, 6)
	p.body = max(0, left)
	return p
}

func (m *model) panel() []string {
	var lines []string
	switch {
	case m.question != nil:
		lines = paintLast(paintFirst(m.question.draw(m.width), m.styles.bold), m.styles.bold)
	case m.prompt != nil:
		lines = []string{m.prompt.draw(m.width, &m.styles)}
	case m.picker != nil:
		lines = m.picker.draw(m.width, max(1, min(m.height-2, 16)), m.list.filter, &m.styles)
	}
	if len(lines) > 0 && len(lines)+4 <= m.height {
		lines = append([]string{m.styles.faint.Render(strings.Repeat("─", m.width))}, lines...)
	}
	return lines[:min(len(lines), m.height)]
}

func paintLines(lines []string, s lipgloss.Style) []string {
	for i, line := range lines {
		lines[i] = s.Render(line)
	}
	return lines
}

func paintFirst(lines []string, s lipgloss.Style) []string {
	paintLines(lines[:1], s)
	return lines
}

func paintLast(lines []string, s lipgloss.Style) []string {
	paintLines(lines[len(lines)-1:], s)
	return lines
}

// View implements [tea.Model]. It has the lines of the window, each at most as
// wide as it.
func (m *model) View() string {
	if m.width <= 0 || m.height <= 0 {
		return ""
	}
	p := m.plan()
	lines := make([]string, 0, m.height)
	if p.header {
		lines = append(lines, m.headerLine())
	}
	if p.state {
		lines = append(lines, m.stateLine())
	}
	if p.head {
		lines = append(lines, m.columnsLine())
	}
	body := m.body(p.body)
	for len(body) < p.body {
		body = append(body, "")
	}
	lines = append(append(lines, body...), p.panel...)
	lines = append(lines, p.status...)
	if p.footer {
		lines = append(lines, m.footerLine())
	}
	return m.bounded(lines)
}

// bounded is the last word on the size, whatever the parts did.
func (m *model) bounded(lines []string) string {
	for len(lines) < m.height {
		lines = append(lines, "")
	}
	lines = lines[:m.height]
	for i, line := range lines {
		if ansi.StringWidth(line) > m.width {
			lines[i] = ansi.Truncate(line, m.width, "") + "\x1b[0m"
		}
	}
	return strings.Join(lines, "\n")
}

func (m *model) body(h int) []string {
	switch m.screen {
	case detailScreen:
		return append([]string(nil), m.detail.pager.window(m.detail.lines, h)...)
	case outcomesScreen:
		return m.outcomeLines(h)
	case helpScreen:
		return m.pager.window(m.helpLines(), h)
	}
	return m.listLines(h)
}
