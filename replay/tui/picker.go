package tui

import (
	tea "github.com/charmbracelet/bubbletea"
)

// picker lets a person choose what rows to see.
type picker struct {
	choices []choice
	cursor  int
}

func (m *model) openPicker() { m.picker = &picker{choices: choices(m.list.all)} }

// choose takes a key. Choosing a value that is chosen already lets the
// dimension pass again.
func (m *model) choose(msg tea.KeyMsg) tea.Cmd {
	p, k := m.picker, &m.keys
	page := max(1, m.height-3)
	switch {
	case is(msg, k.Up):
		p.move(-1)
	case is(msg, k.Down), is(msg, k.Next), is(msg, k.Filter):
		p.move(1)
	case is(msg, k.PageUp):
		p.move(-page)
	case is(msg, k.PageDown):
		p.move(page)
	case is(msg, k.Top):
		p.move(-len(p.choices))
	case is(msg, k.Bottom):
		p.move(len(p.choices))
	case is(msg, k.Open), is(msg, k.Select):
		m.picker = nil
		m.list.narrow(p.choices[p.cursor])
	case is(msg, k.Back), is(msg, k.Quit):
		m.picker = nil
	}
	return nil
}

func (p *picker) move(by int) { p.cursor = max(0, min(p.cursor+by, len(p.choices)-1)) }

func (l *list) narrow(c choice) {
	value, chosen := l.filter[c.dimension]
	switch {
	case c.dimension < 0:
		l.filter = filter{}
	case chosen && value == c.value:
		delete(l.filter, c.dimension)
	default:
		l.filter[c.dimension] = c.value
	}
	l.again()
}

// draw shows the choices around the cursor.
func (p *picker) draw(w, h int, f filter, s *styles) []string {
	lines := []string{s.bold.Render(cut("Show only (enter chooses, esc leaves)", w))}
	room := max(1, min(h-1, len(p.choices)))
	if h <= 1 {
		lines = nil
	}
	top := max(0, min(p.cursor-room/2, len(p.choices)-room))
	for n := top; n < top+room; n++ {
		c := p.choices[n]
		value, chosen := f[c.dimension]
		mark := rowMarks(n == p.cursor, chosen && value == c.value)
		line := fit(mark+" "+c.String()+"  "+count(c.rows), min(w, 60))
		if n == p.cursor {
			line = s.cursor.Render(line)
		}
		lines = append(lines, line)
	}
	return lines
}
