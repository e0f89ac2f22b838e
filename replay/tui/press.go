package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"github.com/walletctl/walletctl/replay"
)

// press takes one key: for what is asked first, then for the screen.
func (m *model) press(msg tea.KeyMsg) tea.Cmd {
	switch {
	case is(msg, m.keys.Out):
		return m.leave(true)
	case msg.Type == tea.KeyCtrlZ:
		return tea.Suspend
	case m.question != nil:
		return m.answer(msg)
	case m.prompt != nil:
		return m.write(msg)
	case m.picker != nil:
		return m.choose(msg)
	}
	m.message = message{}
	switch {
	case is(msg, m.keys.Quit):
		return m.leave(false)
	case is(msg, m.keys.Help) && m.screen != helpScreen:
		m.turn(helpScreen)
		return nil
	case is(msg, m.keys.Outcomes) && m.screen != outcomesScreen:
		m.turn(outcomesScreen)
		return nil
	}
	switch m.screen {
	case listScreen:
		return m.pressList(msg)
	case detailScreen:
		return m.pressDetail(msg)
	}
	if !m.pager.scroll(msg, &m.keys, m.page()) && (is(msg, m.keys.Back) || is(msg, m.keys.Open) || is(msg, m.keys.Help)) {
		m.screen = m.back
	}
	return nil
}

// turn shows a page over the list or the detail.
func (m *model) turn(to screen) {
	if m.screen == listScreen || m.screen == detailScreen {
		m.back = m.screen
	}
	m.screen, m.pager = to, pager{}
}

func (m *model) page() int { return max(1, m.plan().body-1) }

func (m *model) pressList(msg tea.KeyMsg) tea.Cmd {
	l, k := &m.list, &m.keys
	switch {
	case is(msg, k.Up):
		l.move(-1)
	case is(msg, k.Down):
		l.move(1)
	case is(msg, k.PageUp):
		l.move(-m.page())
	case is(msg, k.PageDown):
		l.move(m.page())
	case is(msg, k.Top):
		l.move(-len(l.shown))
	case is(msg, k.Bottom):
		l.move(len(l.shown))
	case is(msg, k.Select):
		l.toggle()
		l.move(1)
	case is(msg, k.SelectAll):
		l.toggleAll()
	case is(msg, k.Open):
		if r := l.current(); r != nil {
			return m.open(r.item)
		}
	case is(msg, k.Back):
		return m.escape()
	default:
		return m.pressView(msg)
	}
	return nil
}

// pressView changes what of the list is seen.
func (m *model) pressView(msg tea.KeyMsg) tea.Cmd {
	l, k := &m.list, &m.keys
	switch {
	case is(msg, k.Search):
		m.search()
	case is(msg, k.Filter):
		m.openPicker()
	case is(msg, k.Sort):
		l.order = (l.order + 1) % len(orders)
		l.resort()
	case is(msg, k.Reverse):
		l.reversed = !l.reversed
		l.resort()
	case is(msg, k.Refresh):
		return m.reload()
	default:
		items, hidden := l.targets()
		return m.pressAct(msg, items, hidden)
	}
	return nil
}

func (m *model) pressDetail(msg tea.KeyMsg) tea.Cmd {
	k := &m.keys
	switch {
	case m.detail.pager.scroll(msg, k, m.page()):
	case is(msg, k.Back):
		m.screen = listScreen
		m.closeDetail()
	case is(msg, k.Next):
		return m.step(1)
	case is(msg, k.Previous):
		return m.step(-1)
	case is(msg, k.Refresh):
		if !m.detail.reading.busy() {
			return m.readStory()
		}
	default:
		return m.pressAct(msg, []replay.Item{m.detail.item}, 0)
	}
	return nil
}

// escape takes back one thing: what runs, or the search, the filter or the
// selection.
func (m *model) escape() tea.Cmd {
	l := &m.list
	switch {
	case m.task != nil:
		m.askToStop(false)
	case l.search != "":
		l.search = ""
		l.again()
	case len(l.filter) > 0:
		l.filter = filter{}
		l.again()
	default:
		l.unselect()
	}
	return nil
}

// search narrows the list with each key; esc gives back what was searched for
// before.
func (m *model) search() {
	before := m.list.search
	find := func(m *model, text string) {
		m.list.search = text
		m.list.again()
	}
	m.prompt = newPrompt("Search", before)
	m.prompt.typed = find
	m.prompt.enter = func(m *model, text string) tea.Cmd { find(m, text); return nil }
	m.prompt.leave = func(m *model) { find(m, before) }
}
