package tui

import (
	"runtime/debug"

	tea "github.com/charmbracelet/bubbletea"
)

// guard keeps a panic from ending the program before the terminal is restored,
// and its text from being written into the screen.
type guard struct {
	model   tea.Model
	program *tea.Program
	failed  *PanicError
}

// Init implements [tea.Model].
func (g *guard) Init() (cmd tea.Cmd) {
	defer g.catch(&cmd)
	return g.model.Init()
}

// Update implements [tea.Model].
func (g *guard) Update(msg tea.Msg) (_ tea.Model, cmd tea.Cmd) {
	defer g.catch(&cmd)
	if g.failed != nil {
		return g, tea.Quit
	}
	g.model, cmd = g.model.Update(msg)
	return g, cmd
}

// View implements [tea.Model].
func (g *guard) View() string {
	if g.failed != nil {
		return ""
	}
	defer g.catch(nil)
	return g.model.View()
}

func (g *guard) catch(cmd *tea.Cmd) {
	cause := recover()
	if cause == nil {
		return
	}
	if known, ok := cause.(*PanicError); ok {
		g.failed = known // of what ran beside the loop
	} else {
		g.failed = &PanicError{Cause: cause, Stack: debug.Stack()}
	}
	if cmd != nil {
		*cmd = tea.Quit
		return
	}
	go g.program.Quit() // a view has no command, and is drawn by who reads messages
}
