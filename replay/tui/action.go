package tui

import (
	"context"
	"errors"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/walletctl/walletctl/replay"
)

// pressAct begins an act on items, where the key is that of one.
func (m *model) pressAct(msg tea.KeyMsg, items []replay.Item, hidden int) tea.Cmd {
	begin := m.actOf(msg)
	switch {
	case begin == nil:
		return nil
	case m.task != nil:
		m.message = message{text: "wait for what runs, or stop it with esc", bad: true}
	case len(items) == 0 && hidden > 0:
		m.message = message{text: "search or filter hide what is selected", bad: true}
	case len(items) == 0:
		m.message = message{text: "there is nothing to act on", bad: true}
	default:
		return begin(items, hidden)
	}
	return nil
}

func (m *model) actOf(msg tea.KeyMsg) func([]replay.Item, int) tea.Cmd {
	k := &m.keys
	switch {
	case is(msg, k.Check):
		return m.check
	case is(msg, k.Replay):
		return m.askReplay
	case is(msg, k.Claim):
		return m.claim
	case is(msg, k.TakeOver):
		return m.askTakeOver
	case is(msg, k.Release):
		return m.release
	case is(msg, k.Note):
		return m.writeNote
	case is(msg, k.Resolve):
		return m.writeReason
	}
	return nil
}

func (m *model) askReplay(items []replay.Item, hidden int) tea.Cmd {
	title := "Send " + safe(items[0].Subject.ID) + " again?"
	if len(items) > 1 {
		title = "Send " + count(len(items)) + " again?"
	}
	m.question = &question{
		title: title, lines: effectOfReplay(items, hidden),
		do: func(m *model) tea.Cmd { return m.replay(items) },
	}
	return nil
}

func (m *model) check(items []replay.Item, _ int) tea.Cmd {
	desk := m.opts.Desk
	return m.each(verbCheck, items, func(ctx context.Context, i replay.Item) (string, error) { return check(ctx, desk, i) })
}

func (m *model) claim(items []replay.Item, _ int) tea.Cmd {
	desk, who := m.opts.Desk, m.opts.Who
	return m.each(verbClaim, items, func(ctx context.Context, i replay.Item) (string, error) {
		err := desk.Claim(ctx, i.Case, false)
		var refused *replay.CaseError
		if errors.As(err, &refused) && !refused.Closed {
			return "", errors.New(refused.Text + "; T takes it over")
		}
		return "it is with " + who, err
	})
}

func (m *model) release(items []replay.Item, _ int) tea.Cmd {
	desk := m.opts.Desk
	return m.each(verbRelease, items, func(ctx context.Context, i replay.Item) (string, error) {
		return "it is with nobody", desk.Release(ctx, i.Case)
	})
}

func (m *model) askTakeOver(items []replay.Item, hidden int) tea.Cmd {
	desk, who := m.opts.Desk, m.opts.Who
	m.question = &question{
		title: "Take over " + counted(len(items), "case") + "?", lines: append(ownersOf(items, who), leftOut(hidden)...),
		do: func(m *model) tea.Cmd {
			return m.each(verbTakeOver, items, func(ctx context.Context, i replay.Item) (string, error) {
				return "it is with " + who, desk.Claim(ctx, i.Case, true)
			})
		},
	}
	return nil
}

// ownersOf says from whom cases would be taken.
func ownersOf(items []replay.Item, who string) []string {
	counts := map[string]int{}
	var names []string
	for i := range items {
		if name := items[i].Owner; name != "" && name != who {
			if counts[name] == 0 {
				names = append(names, name)
			}
			counts[name]++
		}
	}
	if len(names) == 0 {
		return []string{"Nobody else has them."}
	}
	var lines []string
	for _, name := range names {
		lines = append(lines, counted(counts[name], "case")+" of "+safe(name)+", who is not asked and sees it in the history.")
	}
	return lines
}

func (m *model) writeNote(items []replay.Item, _ int) tea.Cmd {
	desk := m.opts.Desk
	m.prompt = newPrompt("Note on "+nameOf(items), "")
	m.prompt.enter = func(m *model, text string) tea.Cmd {
		if text = strings.TrimSpace(text); text == "" {
			return nil
		}
		return m.each(verbNote, items, func(ctx context.Context, i replay.Item) (string, error) {
			return text, desk.Note(ctx, i.Case, text)
		})
	}
	return nil
}

func (m *model) writeReason(items []replay.Item, hidden int) tea.Cmd {
	m.prompt = newPrompt("Resolve "+nameOf(items)+", reason", "")
	m.prompt.enter = func(m *model, reason string) tea.Cmd {
		if reason = strings.TrimSpace(reason); reason == "" {
			m.message = message{text: "a case is resolved with a reason", bad: true}
			return nil
		}
		m.askResolve(items, hidden, reason)
		return nil
	}
	return nil
}

func (m *model) askResolve(items []replay.Item, hidden int, reason string) {
	desk := m.opts.Desk
	lines := []string{"Reason: " + safe(reason)}
	total := newTally()
	for i := range items {
		total.add(&items[i])
	}
	if money := total.String(); money != "" {
		lines = append(lines, "No money moves: "+money+" stay as they are, and nobody is reminded of them.")
	}
	m.question = &question{
		title: "Close " + nameOf(items) + "?", lines: append(lines, leftOut(hidden)...),
		do: func(m *model) tea.Cmd {
			return m.each(verbResolve, items, func(ctx context.Context, i replay.Item) (string, error) {
				return reason, desk.Resolve(ctx, i.Case, reason)
			})
		},
	}
}

// nameOf names cases: by name where it is one.
func nameOf(items []replay.Item) string {
	if len(items) == 1 {
		return items[0].Case.String()
	}
	return counted(len(items), "case")
}
