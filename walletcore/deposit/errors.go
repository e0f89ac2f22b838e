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
