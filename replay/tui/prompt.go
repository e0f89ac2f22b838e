package tui

import (
	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// prompt is a line that a person writes.
type prompt struct {
	title string
	input textinput.Model
	typed func(*model, string)         // of each key, where set
	enter func(*model, string) tea.Cmd // of the whole
	leave func(*model)                 // of esc, where set
}

// maxWritten keeps what is written within what the database takes, at four
// bytes a character.
const maxWritten = 500

func newPrompt(title, value string) *prompt {
	input := textinput.New()
	input.Prompt = ""
	input.CharLimit = maxWritten
	// It would run a program of the desktop.
	input.KeyMap.Paste = key.NewBinding(key.WithDisabled())
	input.SetValue(value)
	input.CursorEnd()
	input.Focus()
	return &prompt{title: title, input: input}
}

// write takes a key. What is pasted is text.
func (m *model) write(msg tea.KeyMsg) tea.Cmd {
	p := m.prompt
	switch msg.Type {
	case tea.KeyEnter:
		m.prompt = nil
		return p.enter(m, p.input.Value())
	case tea.KeyEsc:
		m.prompt = nil
		if p.leave != nil {
			p.leave(m)
		}
		return nil
	}
	p.input, _ = p.input.Update(msg)
	if p.typed != nil {
		p.typed(m, p.input.Value())
	}
	return nil
}

// draw shows title and text with the cursor, in one line of at most w cells:
// of a long text the end of what stands before the cursor.
func (p *prompt) draw(w int, s *styles) string {
	value := []rune(p.input.Value())
	at := min(p.input.Position(), len(value))
	before, under, after := safe(string(value[:at])), " ", ""
	if at < len(value) {
		under, after = safe(string(value[at:at+1])), safe(string(value[at+1:]))
	}
	title := cut(p.title+": ", max(0, min(w/2, w-8)))
	room := max(1, w-width(title)-width(under))
	for runes := []rune(before); width(before) >= room && len(runes) > 0; before = string(runes) {
		runes = runes[1:]
	}
	line := s.bold.Render(title) + before + s.cursor.Render(under)
	return line + cut(after, w-width(title)-width(before)-width(under))
}
