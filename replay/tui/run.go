package tui

import (
	"context"
	"errors"
	"fmt"
	"io"

	tea "github.com/charmbracelet/bubbletea"
	"golang.org/x/term"

	"github.com/walletctl/walletctl/replay/tui/quiet"
)

func init() { quiet.Restore() }

// Run shows the screen until the person leaves it. It returns ErrNoTerminal
// where there is none, a *PanicError after a defect, and the context's error
// where that ended it. In each case the terminal is as it was before.
//
// What was begun and not ended when the screen was left in a hurry is said
// below it.
func Run(ctx context.Context, o Options) error {
	if err := o.Validate(); err != nil {
		return err
	}
	if err := CheckTerminal(o.Input, o.Output); err != nil {
		return err
	}
	ctx, end := context.WithCancel(ctx)
	defer end()
	m := newModel(ctx, o)
	err := show(ctx, o, m)
	if m.task != nil {
		m.summary = m.task.summary() + "; what was begun goes on"
	}
	if m.summary != "" {
		_, _ = fmt.Fprintln(o.Output, m.summary)
	}
	return err
}

// show runs a model on the terminal.
func show(ctx context.Context, o Options, m tea.Model) error {
	g := &guard{model: m}
	// Signals are the caller's, who ends ctx.
	g.program = tea.NewProgram(g, tea.WithContext(ctx), tea.WithInput(o.Input), tea.WithOutput(o.Output),
		tea.WithAltScreen(), tea.WithoutSignalHandler())
	_, err := g.program.Run()
	switch {
	case g.failed != nil:
		return g.failed
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, tea.ErrProgramPanic):
		return &PanicError{Cause: err}
	}
	return err
}

// CheckTerminal returns ErrNoTerminal unless both are one.
func CheckTerminal(input io.Reader, output io.Writer) error {
	if !isTerminal(input) || !isTerminal(output) {
		return ErrNoTerminal
	}
	return nil
}

func isTerminal(stream any) bool {
	file, ok := stream.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(file.Fd()))
}
