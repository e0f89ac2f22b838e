package tui

import "strings"

// headerLine says what this is, how much, and who looks.
func (m *model) headerLine() string {
	left := " " + m.title()
	right := safe(m.opts.Who) + " "
	room := m.width - width(left) - width(right)
	if room < 2 {
		return m.styles.bar.Render(fit(left, m.width))
	}
	return m.styles.bar.Render(left + strings.Repeat(" ", room) + right)
}

func (m *model) title() string {
	switch m.screen {
	case detailScreen:
		r := newRow(m.detail.item)
		return "stuck  " + r.id + "  " + r.amount
	case outcomesScreen:
		return "stuck  " + counted(len(m.told), "outcome")
	case helpScreen:
		return "stuck  help"
	}
	text := "stuck  " + count(len(m.list.all))
	if len(m.list.shown) != len(m.list.all) {
		text = "stuck  " + count(len(m.list.shown)) + " of " + count(len(m.list.all))
	}
	if total := m.list.total.String(); total != "" {
		text += "  " + total
	}
	return text
}

// stateLine says how the list is sorted, searched and filtered.
func (m *model) stateLine() string {
	if m.screen != listScreen {
		return m.styles.faint.Render(cut(" "+m.whereText(), m.width))
	}
	l := &m.list
	text := " by " + orders[l.order].name
	if l.reversed {
		text += ", reversed"
	}
	if l.search != "" {
		text += "   search: " + safe(l.search)
	}
	if len(l.filter) > 0 {
		text += "   only " + l.filter.String()
	}
	if n := len(l.selected); n > 0 {
		text += "   " + m.selectionText(n)
	}
	return m.styles.faint.Render(cut(text, m.width))
}

func (m *model) selectionText(n int) string {
	text := count(n) + " selected"
	if total := m.list.sum.String(); total != "" {
		text += ", " + total
	}
	if hidden := n - m.list.chosen; hidden > 0 {
		text += ", " + count(hidden) + " of them hidden"
	}
	return text
}

// whereText says where in a page the person is.
func (m *model) whereText() string {
	switch m.screen {
	case detailScreen:
		return pageText(m.detail.pager.top, len(m.detail.lines), m.plan().body)
	case outcomesScreen:
		return pageText(m.pager.top, len(m.told), m.plan().body)
	}
	return pageText(m.pager.top, len(m.helpLines()), m.plan().body)
}

func pageText(top, all, window int) string {
	if all <= window {
		return "all of it"
	}
	return "lines " + count(top+1) + " to " + count(min(all, top+window)) + " of " + count(all)
}
