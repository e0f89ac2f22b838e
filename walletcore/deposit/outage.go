package deposit

import (
	"errors"

	"github.com/jackc/pgx/v5/pgconn"
)

// Outage reports whether err says that PostgreSQL cannot be reached or takes no
// writes, so that the message at hand is not to blame and should be kept until
// it can. It is for errors of this package that are not *walletcore.FieldError.
func Outage(err error) bool {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return true // the server never answered
	}
	switch pg.Code[:2] {
	case "08", "53", "57", "58": // connection, resources, operator intervention, system
		return true
	}
	return pg.Code == "25006" // read-only: a standby, or a primary being handed over
}
