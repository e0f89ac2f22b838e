package output

import (
	"io"
	"os"

	"golang.org/x/term"
)

// Streams are where a command reads and writes. stdout holds the result and
// nothing else.
type Streams struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
	// OutTerminal and ErrTerminal tell whether a person looks at them.
	OutTerminal bool
	ErrTerminal bool
	// Color allows colours on Out.
	Color bool
}

// System returns the process's streams. Colours need a terminal, and NO_COLOR
// (any value) and TERM=dumb turn them off.
func System() Streams {
	s := Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		OutTerminal: term.IsTerminal(int(os.Stdout.Fd())),
		ErrTerminal: term.IsTerminal(int(os.Stderr.Fd())),
	}
	s.Color = s.OutTerminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	return s
}
