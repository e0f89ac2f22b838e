package adjust

import (
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/walletctl/walletctl/walletcore"
)

var (
	// ErrNotFound: there is no such adjustment, or no such wallet.
	ErrNotFound = errors.New("there is no such adjustment or wallet")
	// ErrForbidden: the login is no member of the role that may do this.
	ErrForbidden = errors.New("this login may not do that")
	// ErrBusy: another's step about the same adjustment, or of the same login, was
	// begun and has not ended. Nothing was changed.
	ErrBusy = errors.New("somebody else is at it")
)

// RuleError says which rule of the database refused a step. Nothing was
// changed.
type RuleError struct {
	// Ended says that the adjustment waits for nobody any more; otherwise this
	// login is not the one who may.
	Ended bool
	Text  string
}

func (e *RuleError) Error() string { return e.Text }

// UnknownError says that the answer to a step was lost: it may be recorded.
// Look before doing it again.
type UnknownError struct {
	ID  string // of the adjustment
	Err error
}

func (e *UnknownError) Error() string {
	return fmt.Sprintf("the answer was lost, %s may be recorded: %v", e.ID, e.Err)
}

func (e *UnknownError) Unwrap() error { return e.Err }

// actError turns what a function of the database raised into an error of this
// package.
func actError(what string, err error) error {
	var pg *pgconn.PgError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, pgx.ErrNoRows):
		return ErrNotFound
	case !errors.As(err, &pg):
		return fmt.Errorf("%s: %w", what, err)
	}
	return refusedBy(what, pg)
}

// refusedBy is the error for what the server said. It changed nothing.
func refusedBy(what string, pg *pgconn.PgError) error {
	switch pg.Code {
	case "P0002":
		return ErrNotFound
	case "42501":
		return ErrForbidden
	case "WA001", "WA002":
		return &RuleError{Ended: pg.Code == "WA002", Text: pg.Message}
	case "WA003":
		return &walletcore.FieldError{Field: "request", Reason: "is refused: " + pg.Message}
	case "55P03":
		return fmt.Errorf("%s: %w", what, ErrBusy)
	}
	return fmt.Errorf("%s: %w", what, pg)
}

// commitError tells a COMMIT that the server refused from one whose answer was
// lost.
func commitError(id, what string, err error) error {
	var pg *pgconn.PgError
	if err == nil || errors.As(err, &pg) {
		return actError(what, err)
	}
	return &UnknownError{ID: id, Err: fmt.Errorf("%s: %w", what, err)}
}
