package job

import (
	"fmt"

	"github.com/walletctl/walletctl/walletcore/pgtx"
)

// PanicError is a panic while a job worked, as an error like any other.
type PanicError struct {
	Value any
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// storableError is an error whose text the queue can keep: River writes it to a
// JSON column, which takes no NUL, and would otherwise never come to an end
// with the job.
type storableError struct {
	error
}

func (e *storableError) Error() string { return pgtx.Clip(e.error.Error()) }

func (e *storableError) Unwrap() error { return e.error }

// storable makes err fit for the queue.
func storable(err error) error {
	if err == nil {
		return nil
	}
	return &storableError{err}
}
