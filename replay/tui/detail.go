package tui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/walletctl/walletctl/replay"
)

// detail is one item with its story.
type detail struct {
	item    replay.Item
	story   *replay.Story // nil: not read yet
	kept    *replay.Case
	reading reading
	stale   bool // something was done: read again
	cancel  context.CancelFunc
	lines   []string // laid out for the window
	pager   pager
}

// storyMsg is what came of reading an item's story.
type storyMsg struct {
	ref   replay.Ref
	story replay.Story
	kept  *replay.Case
	err   error
}

// open shows an item.
func (m *model) open(item replay.Item) tea.Cmd {
	m.closeDetail()
	m.screen = detailScreen
	m.detail = detail{item: item}
	return m.readStory()
}

func (m *model) closeDetail() {
	if m.detail.cancel != nil {
		m.detail.cancel()
	}
	m.detail = detail{}
}

func (m *model) readStory() tea.Cmd {
	d := &m.detail
	d.stale, d.reading.since = false, m.now
	ctx, cancel := context.WithTimeout(m.ctx, detailPatience)
	d.cancel = cancel
	desk, item := m.opts.Desk, d.item
	return beside(func() tea.Msg {
		defer cancel()
		msg := storyMsg{ref: item.Case}
		if msg.story, msg.err = desk.Explain(ctx, whole(item.Subject)); msg.err != nil {
			return msg
		}
		kept, err := desk.Case(ctx, item.Case)
		if err != nil {
			msg.story.Missing = append(msg.story.Missing, "the case itself: "+err.Error())
		} else {
			msg.kept = &kept
		}
		return msg
	})
}

// told takes a story, unless another item has been opened.
func (m *model) toldStory(msg storyMsg) {
	d := &m.detail
	if m.screen != detailScreen && m.back != detailScreen || d.item.Case != msg.ref {
		return
	}
	d.reading.ended(m.now, msg.err)
	if msg.err == nil {
		d.story, d.kept = &msg.story, msg.kept
	}
	m.tellDetail()
}

// tellDetail lays the detail out for the window.
func (m *model) tellDetail() {
	if m.width > 0 && m.detail.item.Case != (replay.Ref{}) {
		m.detail.lines = m.detailLines(m.width)
	}
}

// step opens the case that stands so many rows further in the list.
func (m *model) step(by int) tea.Cmd {
	m.list.move(by)
	if r := m.list.current(); r != nil && r.item.Case != m.detail.item.Case {
		return m.open(r.item)
	}
	return nil
}
