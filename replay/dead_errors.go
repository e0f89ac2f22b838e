package replay

import (
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/walletctl/walletctl/walletcore"
)

// DeadError says why a dead letter was not acted on; nothing was changed. Its
// text is the database's, which knows who was faster.
type DeadError struct {
	Ref     Ref
	Handled bool // somebody requeued or discarded it before; otherwise it is none that can be requeued
	Text    string
}

func (e *DeadError) Error() string { return e.Text }

// ParseDeadRef reads casino-17 or gaming-3. The error is a
// *walletcore.FieldError.
func ParseDeadRef(text string) (Ref, error) {
	ref, err := ParseRef(text)
	var field *walletcore.FieldError
	if errors.As(err, &field) {
		return ref, &walletcore.FieldError{Field: fmt.Sprintf("dead letter %q", text), Reason: field.Reason}
	}
	return ref, err
}

// deadError turns what a function of the database raised into an error of this
// package.
func deadError(what string, ref Ref, err error) error {
	var pg *pgconn.PgError
	if errors.As(err, &pg) && (pg.Code == "WC001" || pg.Code == "WC003") {
		return &DeadError{Ref: ref, Handled: pg.Code == "WC001", Text: pg.Message}
	}
	return actError(what+" "+ref.String(), ref, err)
}
