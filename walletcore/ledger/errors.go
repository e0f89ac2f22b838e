package ledger

import (
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"
)

// UnavailableError says that the database could not take a batch: it is away,
// read-only, or so contended that the attempts ran out. Repeat with the same
// keys.
type UnavailableError struct {
	Attempts int
	// Unknown says that a COMMIT was under way when the connection was lost:
	// the batch may stand in the ledger.
	Unknown bool
	// Contended says that the database answers: only these wallets are busy, or
	// the caller's time was up.
	Contended bool
	Err       error
}

func (e *UnavailableError) Error() string {
	outcome := "nothing was posted"
	if e.Unknown {
		outcome = "outcome unknown"
	}
	return fmt.Sprintf("ledger unavailable after %d attempts (%s): %v", e.Attempts, outcome, e.Err)
}

func (e *UnavailableError) Unwrap() error { return e.Err }

// Unavailable reports whether callers should pause until the database is back.
func (e *UnavailableError) Unavailable() bool { return !e.Contended }

// Retryable reports that the same movement may be sent again.
func (e *UnavailableError) Retryable() bool { return true }

// commitError marks an error of the round trip that carried the COMMIT.
type commitError struct{ err error }

func (e *commitError) Error() string { return "commit: " + e.err.Error() }
func (e *commitError) Unwrap() error { return e.err }

// missingWallets says which wallets have to be born before the batch can be
// tried again.
type missingWallets struct{ wallets map[[16]byte]bool }

func (e *missingWallets) Error() string { return fmt.Sprintf("%d wallets are missing", len(e.wallets)) }

// errBalanceMoved is a guard: under the lock the balances cannot have changed.
var errBalanceMoved = errors.New("balances are not what was signed")

type failure int

const (
	failFinal failure = iota
	failContention
	failDuplicate
	failConnection
)

// connectionError marks an error that ended the connection, or kept it from
// beginning.
type connectionError struct{ err error }

func (e *connectionError) Error() string { return e.err.Error() }
func (e *connectionError) Unwrap() error { return e.err }

// classify says what an error of an attempt means for the next one.
func classify(err error) failure {
	var lost *connectionError
	if errors.As(err, &lost) {
		return failConnection
	}
	var pgErr *pgconn.PgError
	if !errors.As(err, &pgErr) {
		return failFinal
	}
	switch pgErr.Code {
	case "40001", "40P01", "55P03", "57014": // serialization, deadlock, lock and statement time-out
		return failContention
	case "23505": // unique violation
		return failDuplicate
	case "25006": // read-only: a standby, or a primary being handed over
		return failConnection
	}
	switch pgErr.Code[:2] {
	case "53", "58": // out of resources, system error
		return failConnection
	}
	return failFinal
}
