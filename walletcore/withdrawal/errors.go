package withdrawal

import (
	"errors"
	"fmt"
)

var (
	// ErrNotFound: no withdrawal has this id in this brand.
	ErrNotFound = errors.New("withdrawal is not found")
	// ErrForeignReceipt: gaming answered with the receipt of something else.
	// Nothing is marked; the retry asks again.
	ErrForeignReceipt = errors.New("receipt does not belong to the withdrawal")
)

// ConflictError refuses to create a withdrawal whose idempotency key stands for
// another one. Nothing was changed.
type ConflictError struct {
	WithdrawalID string
	Field        string // the first field that differs, its name in JSON
	Stored       string
	Given        string
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("idempotency key belongs to withdrawal %s with another %s: stored %q, given %q",
		e.WithdrawalID, e.Field, e.Stored, e.Given)
}
