package postgres

import (
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"
)

// ConnectError says why a database cannot be used. Its text never holds the
// URL or the password.
type ConnectError struct {
	Variable string // names the URL's variable
	Err      error
}

func (e *ConnectError) Error() string { return fmt.Sprintf("connect by %s: %v", e.Variable, e.Err) }

// Unwrap returns the cause.
func (e *ConnectError) Unwrap() error { return e.Err }

// Hint says what to do, by the server's answer.
func (e *ConnectError) Hint() string {
	var answer *pgconn.PgError
	if !errors.As(e.Err, &answer) {
		return "see that the server runs and that this host can reach it"
	}
	switch answer.Code {
	case invalidPassword, invalidAuthorization:
		return "correct the user or the password in " + e.Variable + ", or allow the login in pg_hba.conf"
	case unknownDatabase:
		return "correct the database's name in " + e.Variable + ", or create the database"
	case tooManyConnections:
		return "lower DATABASE_MAX_CONNS, or raise the server's max_connections"
	}
	return "see the server's log"
}

// The answers of a server that does not let a client in.
const (
	invalidAuthorization = "28000"
	invalidPassword      = "28P01"
	unknownDatabase      = "3D000"
	tooManyConnections   = "53300"
	cannotConnectNow     = "57P03"
)

// temporary reports whether waiting may help: the server is not there yet, is
// starting, or is full. A wrong password does not get better.
func temporary(err error) bool {
	var answer *pgconn.PgError
	if !errors.As(err, &answer) {
		return true
	}
	return answer.Code == cannotConnectNow || answer.Code == tooManyConnections
}
