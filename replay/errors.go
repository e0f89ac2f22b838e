package replay

import (
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

var (
	// ErrNotFound: there is no such case, deposit or withdrawal.
	ErrNotFound = errors.New("there is no such thing")
	// ErrNoGaming: the desk has no database of gaming.
	ErrNoGaming = errors.New("gaming's database is not given")
	// ErrForbidden: the login is no member of oncall or supervisor.
	ErrForbidden = errors.New("this login may not act on cases")
)

// CaseError says why an act on a case was refused; nothing was changed. Its
// text is the database's, which knows who was faster.
type CaseError struct {
	Ref    Ref
	Closed bool // it was closed already; otherwise somebody else sees to it
	Text   string
}

func (e *CaseError) Error() string { return e.Text }

// PartialError says how far a run came that did not come to its end, or in
// which some failed.
type PartialError struct {
	Done, Failed, Left int
	Err                error // what ended it early; nil where it came to its end
}

func (e *PartialError) Error() string {
	text := fmt.Sprintf("%d done, %d failed, %d not begun", e.Done, e.Failed, e.Left)
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

func (e *PartialError) Unwrap() error { return e.Err }

// actError turns what a function of the database raised into an error of this
// package.
func actError(what string, ref Ref, err error) error {
	var pg *pgconn.PgError
	if errors.Is(err, pgx.ErrNoRows) {
		return ErrNotFound
	}
	if errors.As(err, &pg) {
		switch pg.Code {
		case "P0002":
			return ErrNotFound
		case "42501":
			return ErrForbidden
		case "WC001", "WC002":
			return &CaseError{Ref: ref, Closed: pg.Code == "WC001", Text: pg.Message}
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}
