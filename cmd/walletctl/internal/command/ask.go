package command

import (
	"bufio"
	"context"
	"strings"

	"golang.org/x/term"
)

// canAsk reports whether a person sits at the other end: what is asked is seen,
// and the answer is typed.
func (f *factory) canAsk() bool {
	in, ok := f.streams.In.(interface{ Fd() uintptr })
	return ok && f.streams.ErrTerminal && term.IsTerminal(int(in.Fd()))
}

// answer reads a line that is typed; an interrupt ends the wait for it.
func (f *factory) answer(ctx context.Context) (string, error) {
	lines := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(f.streams.In).ReadString('\n')
		lines <- strings.TrimSpace(line)
	}()
	select {
	case line := <-lines:
		return line, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}
