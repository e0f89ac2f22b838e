package history

import (
	"errors"
	"fmt"
)

// What is wrong with a row; the Err of a *record.RowError.
var (
	errIncomplete   = errors.New("has no user, currency, kind or time: the mapping must declare each")
	errNotHistory   = errors.New("is a kind that the ledger writes itself")
	errMovesNothing = errors.New("moves nothing")
	errDirection    = errors.New("moves money as its kind never does; map such rows to adjustment, or to another kind by a rule")
	errNoID         = errors.New("is missing; --unkeyed gives such rows a deterministic id")
)

// ErrRunning says that another run brings history into the same brand.
var ErrRunning = errors.New("another backfill of this brand is running")

// ErrClosed says that the brand is closed: its wallets are not in yet.
var ErrClosed = errors.New("the brand is closed: walletctl backfill open brings its wallets in first")

// ErrEmpty says that the source has no row of this brand in the range.
var ErrEmpty = errors.New("the source has no movement of this brand in the range")

// RowsError says that a source holds rows that are no movements. Nothing was
// written.
type RowsError struct {
	Count int64
	First string
}

func (e *RowsError) Error() string {
	return fmt.Sprintf("%d rows are no movements, nothing was written; the first: %s", e.Count, e.First)
}

// PartialError says how far a run came that was ended: each wallet is in whole,
// or not at all. Started again with the same source it goes on.
type PartialError struct {
	Done int64 // wallets
	Err  error
}

func (e *PartialError) Error() string {
	return fmt.Sprintf("stopped after %d wallets: %v", e.Done, e.Err)
}

// Unwrap returns why it was ended.
func (e *PartialError) Unwrap() error { return e.Err }
