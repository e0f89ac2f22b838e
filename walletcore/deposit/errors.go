package deposit

import (
	"errors"
	"fmt"
)

var (
	// ErrNotFound: no deposit has this id in this brand.
	ErrNotFound = errors.New("deposit is not found")
	// ErrForeignReceipt: gaming answered with the receipt of something else.
	// Nothing is marked; the retry asks again.
	ErrForeignReceipt = errors.New("receipt does not belong to the deposit")

	errUnmatched = errors.New("deposit of the message is still unknown")
	errSettled   = errors.New("message was settled by another")
)

// ConflictError refuses to create a deposit whose idempotency key stands for
// another one. Nothing was changed.
type ConflictError struct {
	DepositID string
	Field     string // the first field that differs, its name in JSON
	Stored    string
	Given     string
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("idempotency key belongs to deposit %s with another %s: stored %q, given %q",
		e.DepositID, e.Field, e.Stored, e.Given)
}

// PanicError is a panic while a job worked, as an error like any other.
type PanicError struct {
	Value any
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// storableError is an error whose text the job queue can keep: River writes it
// to a JSON column, which takes no NUL, and would otherwise never come to an
// end with the job.
type storableError struct {
	error
}

func (e *storableError) Error() string { return clip(e.error.Error()) }

func (e *storableError) Unwrap() error { return e.error }

// storable makes err fit for the job queue.
func storable(err error) error {
	if err == nil {
		return nil
	}
	return &storableError{err}
}
