package tui

import (
	"errors"
	"fmt"
)

// ErrNoTerminal: input or output is not a terminal, so that there is nobody to
// look.
var ErrNoTerminal = errors.New("a screen needs a terminal")

// PanicError is a defect of the screen that ended it. The terminal was
// restored.
type PanicError struct {
	Cause any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Cause) }
