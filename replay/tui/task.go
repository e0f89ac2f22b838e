package tui

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/walletctl/walletctl/replay"
)

// task is an act on one or many items that runs beside the loop.
type task struct {
	verb     verb
	all      int
	done     int
	failed   int
	began    time.Time
	last     outcome
	stop     context.CancelFunc
	stopping bool
	leaving  bool // the screen ends when the task does

	err  error // of the end, as the loop knows it
	feed chan outcome
	end  error // the same as the work left it; valid once feed is closed
}

// work does an act on items, and tells of each as it ends.
type work func(ctx context.Context, tell func(outcome)) error

// progressMsg is what a task has told since the last one.
type progressMsg struct {
	task     *task
	outcomes []outcome
	ended    bool
}

// start runs a task. Its context ends when it is told to stop, or with the
// screen.
func (m *model) start(v verb, all int, w work) tea.Cmd {
	ctx, stop := context.WithCancel(m.ctx)
	t := &task{verb: v, all: all, began: m.now, stop: stop, feed: make(chan outcome, 256)}
	m.task = t
	m.message = message{}
	go t.run(ctx, m.ctx, w)
	return t.listen
}

// run does the work. A screen that is gone hears no more, and holds nothing up.
func (t *task) run(ctx, screen context.Context, w work) {
	defer close(t.feed)
	defer t.stop()
	defer func() {
		if cause := recover(); cause != nil {
			t.end = &PanicError{Cause: cause, Stack: debug.Stack()}
		}
	}()
	t.end = w(ctx, func(o outcome) {
		select {
		case t.feed <- o:
		case <-screen.Done():
		}
	})
}

// listen waits for an outcome, and takes the others that are there with it.
func (t *task) listen() tea.Msg {
	msg := progressMsg{task: t}
	o, open := <-t.feed
	for open {
		msg.outcomes = append(msg.outcomes, o)
		select {
		case o, open = <-t.feed:
			continue
		default:
		}
		return msg
	}
	msg.ended = true
	return msg
}

// progressed takes what a task has told.
func (m *model) progressed(msg progressMsg) tea.Cmd {
	t := msg.task
	for _, o := range msg.outcomes {
		t.done++
		if !o.good {
			t.failed++
		}
		t.last = o
		m.told = append(m.told, o)
		m.outcomes[o.ref] = o
	}
	if !msg.ended {
		return t.listen
	}
	t.err = t.end
	return m.ended(t)
}

// ended says what came of a task, and reads again what it has changed.
func (m *model) ended(t *task) tea.Cmd {
	m.task = nil
	m.summary = t.summary()
	m.message = message{text: m.summary, bad: t.failed > 0 || t.done < t.all}
	if t.all == 1 && t.done == 1 {
		m.message = message{text: t.last.id + " " + t.verb.past + ": " + t.last.text, bad: !t.last.good}
	}
	if p, ok := t.err.(*PanicError); ok {
		panic(p)
	}
	if t.leaving {
		return tea.Quit
	}
	m.detail.stale = true
	return m.reload()
}

// summary says how far the task came.
func (t *task) summary() string {
	text := fmt.Sprintf("%s: %s of %s done", t.verb.name, count(t.done-t.failed), count(t.all))
	if t.failed > 0 {
		text += ", " + count(t.failed) + " failed"
	}
	if left := t.all - t.done; left > 0 {
		text += ", of " + count(left) + " no outcome is known"
	}
	if t.err != nil && !t.stopping {
		text += ": " + oneLine(cause(t.err).Error())
	}
	return text
}

// cause leaves out the counts, which the summary has.
func cause(err error) error {
	if partial, ok := err.(*replay.PartialError); ok && partial.Err != nil {
		return partial.Err
	}
	return err
}

// progress says how far the task is and how fast.
func (t *task) progress(now time.Time) string {
	text := fmt.Sprintf("%s: %s of %s", t.verb.name, count(t.done), count(t.all))
	if t.failed > 0 {
		text += ", " + count(t.failed) + " failed"
	}
	if took := now.Sub(t.began); took >= time.Second && t.done > 0 {
		tenths := int64(t.done) * 10_000 / took.Milliseconds()
		text += fmt.Sprintf(", %d.%d a second", tenths/10, tenths%10)
	}
	if t.stopping {
		return text + ", stopping after what was begun"
	}
	return text + ", esc stops"
}
