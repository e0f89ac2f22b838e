package migrations

import (
	"errors"
	"fmt"
	"strings"
)

// ErrURL says that a database URL cannot be parsed. It does not quote it.
var ErrURL = errors.New("database URL cannot be parsed")

// SchemaError says why a service must not start on a schema.
type SchemaError struct {
	Schema   Schema
	Behind   bool     // migrations are missing; else something was taken away
	Problems []string // one line each
}

func (e *SchemaError) Error() string {
	return fmt.Sprintf("schema %s is not fit to serve: %s", e.Schema, strings.Join(e.Problems, "; "))
}

// Hint says what to do.
func (e *SchemaError) Hint() string {
	if e.Behind {
		return "walletctl migrate up, as the owner"
	}
	return "put back what is named, as the owner, and find out who changed it; then walletctl migrate check"
}
