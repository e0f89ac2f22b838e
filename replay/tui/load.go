package tui

import (
	"context"
	"runtime/debug"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/walletctl/walletctl/replay"
)

// How long a reading may take before it counts as failed.
const (
	listPatience   = 30 * time.Second
	detailPatience = 10 * time.Second
)

// reading is how the screen stands with what it reads again and again.
type reading struct {
	since time.Time // it is being read; zero where it is not
	at    time.Time // what is shown was read then; zero where nothing was
	tried time.Time // the last reading ended then
	err   error     // of the last reading
	again bool      // something has changed since it began
}

func (r *reading) busy() bool { return !r.since.IsZero() }

// due reports whether it is time to read again.
func (r *reading) due(now time.Time, refresh time.Duration) bool {
	return !r.busy() && now.Sub(r.tried) >= refresh
}

func (r *reading) ended(now time.Time, err error) {
	r.since, r.tried, r.err = time.Time{}, now, err
	if err == nil {
		r.at = now
	}
}

// listMsg is what came of reading the list.
type listMsg struct {
	batch batch
	err   error
}

// crashMsg is a panic beside the loop.
type crashMsg struct{ err *PanicError }

// beside runs f beside the loop; its panic ends the screen as one of the loop
// does.
func beside(f func() tea.Msg) tea.Cmd {
	return func() (msg tea.Msg) {
		defer func() {
			if cause := recover(); cause != nil {
				msg = crashMsg{&PanicError{Cause: cause, Stack: debug.Stack()}}
			}
		}()
		return f()
	}
}

// reload reads the list, or has it read once more where it is being read: that
// reading began before whatever changed.
func (m *model) reload() tea.Cmd {
	if m.reading.busy() {
		m.reading.again = true
		return nil
	}
	m.reading.since = m.now
	ctx, desk := m.ctx, m.opts.Desk
	return beside(func() tea.Msg {
		limit, cancel := context.WithTimeout(ctx, listPatience)
		defer cancel()
		items, err := desk.Stuck(limit, replay.StuckFilter{})
		if err != nil {
			return listMsg{err: err}
		}
		return listMsg{batch: newBatch(items)}
	})
}

func (m *model) listed(msg listMsg) tea.Cmd {
	m.reading.ended(m.now, msg.err)
	if msg.err == nil {
		m.list.take(msg.batch)
	}
	if m.reading.again {
		m.reading.again = false
		return m.reload()
	}
	return nil
}
