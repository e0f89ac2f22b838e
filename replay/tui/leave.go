package tui

import (
	tea "github.com/charmbracelet/bubbletea"
)

// leave ends the screen. While something runs it asks first; hurry, pressed
// while it is stopping, does not wait for it.
func (m *model) leave(hurry bool) tea.Cmd {
	if m.task == nil {
		return tea.Quit
	}
	if m.task.leaving && hurry {
		m.summary = m.task.summary()
		return tea.Quit
	}
	m.askToStop(true)
	return nil
}

// askToStop asks whether what runs is to stop, and whether to leave then.
func (m *model) askToStop(leaving bool) {
	t := m.task
	title := "Stop?"
	if leaving {
		title = "Stop and leave?"
	}
	m.prompt, m.picker = nil, nil
	m.question = &question{
		title: title,
		lines: []string{
			t.verb.name + ": " + count(t.done) + " of " + count(t.all) + " have ended. What was begun is waited for; no other is begun.",
		},
		do: func(m *model) tea.Cmd {
			if m.task != t {
				if leaving {
					return tea.Quit
				}
				return nil
			}
			t.stopping, t.leaving = true, leaving
			t.stop()
			return nil
		},
	}
}
