package tui

import (
	"strings"
)

// columnsLine names the columns.
func (m *model) columnsLine() string {
	places, last := m.list.widths.arrange(m.width)
	line := strings.Repeat(" ", marks)
	for i, p := range places {
		if i > 0 {
			line += strings.Repeat(" ", gap)
		}
		line += p.fit(p.title)
	}
	if last > 0 {
		line += strings.Repeat(" ", gap) + cut(lastTitle, last)
	}
	return m.styles.bold.Render(cut(line, m.width))
}

func (p *place) fit(text string) string {
	if p.right {
		return fitRight(text, p.width)
	}
	return fit(text, p.width)
}

// listLines draws the rows that are visible, and no others.
func (m *model) listLines(h int) []string {
	l := &m.list
	if len(l.shown) == 0 && h > 0 {
		return []string{cut(m.emptyText(), m.width)}
	}
	places, last := l.widths.arrange(m.width)
	var lines []string
	for n := l.top; n < min(l.top+h, len(l.shown)); n++ {
		lines = append(lines, m.rowLine(l.row(n), n == l.cursor, places, last))
	}
	return lines
}

func (m *model) emptyText() string {
	switch {
	case m.reading.at.IsZero():
		return ""
	case len(m.list.all) > 0:
		return " Nothing matches search and filter; esc takes them back."
	}
	return " Nothing is stuck."
}

func (m *model) rowLine(r *row, current bool, places []place, last int) string {
	var b strings.Builder
	b.WriteString(rowMarks(current, m.list.selected[r.item.Case]))
	for i := range places {
		if i > 0 {
			b.WriteString(strings.Repeat(" ", gap))
		}
		b.WriteString(places[i].fit(places[i].text(r, m.now)))
	}
	if last > 0 {
		b.WriteString(strings.Repeat(" ", gap) + cut(r.what(m.outcomes), last))
	}
	line := fit(b.String(), m.width)
	switch {
	case current:
		return m.styles.cursor.Render(line)
	case m.list.selected[r.item.Case]:
		return m.styles.bold.Render(line)
	}
	return m.paintOutcome(r, line)
}

// paintOutcome colours a row on which something was done.
func (m *model) paintOutcome(r *row, line string) string {
	o, done := m.outcomes[r.item.Case]
	switch {
	case !done:
		return line
	case o.good:
		return m.styles.good.Render(line)
	}
	return m.styles.bad.Render(line)
}

func rowMarks(current, selected bool) string {
	mark := []byte("  ")
	if current {
		mark[0] = '>'
	}
	if selected {
		mark[1] = '*'
	}
	return string(mark)
}

// outcomeLines draws what was done here, the newest first.
func (m *model) outcomeLines(h int) []string {
	if len(m.told) == 0 && h > 0 {
		return []string{cut(" Nothing was done here yet.", m.width)}
	}
	var lines []string
	for n := m.pager.top; n < min(m.pager.top+h, len(m.told)); n++ {
		o := &m.told[len(m.told)-1-n]
		line := cut(" "+clock(o.at)+"  "+fit(o.word(), 6)+"  "+o.id+"  "+o.verb.past+": "+o.text, m.width)
		if !o.good {
			line = m.styles.bad.Render(line)
		}
		lines = append(lines, line)
	}
	return lines
}
