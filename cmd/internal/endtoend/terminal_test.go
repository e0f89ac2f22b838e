package endtoend_test

import (
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"
	"github.com/hinshun/vt10x"
	"github.com/stretchr/testify/require"
	"golang.org/x/term"
)

// terminal is a person's: a pseudo-terminal, with an emulator that knows what
// it shows.
type terminal struct {
	t       *testing.T
	file    *os.File // the person's side
	other   *os.File // the program's, kept open: the terminal outlives it
	shown   vt10x.Terminal
	command *exec.Cmd
	done    chan struct{} // closed when the program has ended
	before  *term.State
}

// openTerminal starts a command in a terminal of its own.
func openTerminal(t *testing.T, command *exec.Cmd, columns, rows int) *terminal {
	t.Helper()
	file, other, err := pty.Open()
	require.NoError(t, err)
	x := &terminal{t: t, file: file, other: other, command: command, done: make(chan struct{}), shown: vt10x.New(vt10x.WithSize(columns, rows))}
	x.resize(columns, rows)
	x.before, err = term.GetState(int(other.Fd()))
	require.NoError(t, err)
	command.Stdin, command.Stdout, command.Stderr = other, other, other
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true} // else it is not told of another size
	require.NoError(t, command.Start())
	go func() { _ = command.Wait(); close(x.done) }()
	go func() { _, _ = io.Copy(x.shown, file) }()
	t.Cleanup(func() {
		if t.Failed() {
			t.Log("the terminal shows:\n" + x.shown.String())
		}
		_ = command.Process.Kill()
		<-x.done
		_, _ = other.Close(), file.Close()
	})
	return x
}

func (x *terminal) resize(columns, rows int) {
	x.t.Helper()
	x.shown.Resize(columns, rows)
	require.NoError(x.t, pty.Setsize(x.file, &pty.Winsize{Rows: uint16(rows), Cols: uint16(columns)}))
}

// press types.
func (x *terminal) press(keys string) {
	x.t.Helper()
	_, err := x.file.WriteString(keys)
	require.NoError(x.t, err)
}

// see waits until the terminal shows a text.
func (x *terminal) see(text string) {
	x.t.Helper()
	await(x.t, "the terminal to show "+text, func() bool { return strings.Contains(x.shown.String(), text) })
}

// requireRestored waits for the end, and for the terminal to be as it was.
func (x *terminal) requireRestored(code int) {
	x.t.Helper()
	<-x.done
	require.Equal(x.t, code, x.command.ProcessState.ExitCode(), x.shown.String())
	now, err := term.GetState(int(x.other.Fd()))
	require.NoError(x.t, err)
	require.Equal(x.t, x.before, now, "the terminal's mode")
	await(x.t, "the screen to be left", func() bool {
		return x.shown.CursorVisible() && x.shown.Mode()&(vt10x.ModeAltScreen|vt10x.ModeMouseMask) == 0
	})
}
