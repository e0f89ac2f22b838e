package chaincheck

import (
	"errors"

	"github.com/jackc/pgx/v5/pgconn"
)

// passing reports whether a statement may succeed when it is repeated. It is
// asked only where the run's own context is not done. What is not an answer of
// the server is a matter of the connection.
func passing(err error) bool {
	var answer *pgconn.PgError
	if !errors.As(err, &answer) {
		return !errors.Is(err, errCopyFormat)
	}
	switch answer.Code {
	case "40001", // canceling statement due to conflict with recovery
		"40P01", // deadlock with recovery
		"57014", // canceled: a statement time-out, or by an administrator
		"55P03", // lock not available
		"58P01": // a file that replay has removed
		return true
	}
	return isLost(err)
}

// isLost reports whether there is no connection any more.
func isLost(err error) bool {
	if errors.Is(err, errCopyFormat) {
		return false
	}
	var answer *pgconn.PgError
	if !errors.As(err, &answer) {
		return true
	}
	switch answer.Code {
	case "57P01", // terminating connection, by an administrator or by recovery
		"57P02", // crash of another server process
		"57P03", // the server starts up or shuts down
		"57P05", // idle session time-out
		"53300": // too many connections
		return true
	}
	return len(answer.Code) == 5 && answer.Code[:2] == "08"
}
