package pgtx

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

const maxAttempts = 4

// Retry runs a whole transaction again where PostgreSQL says that trying again
// is the remedy: serialization failure, deadlock, lock time-out. What it runs
// must be a transaction of its own.
func Retry(ctx context.Context, run func() error) error {
	for attempt := 1; ; attempt++ {
		err := run()
		if err == nil || attempt == maxAttempts || !transient(err) {
			return err
		}
		jitter := time.Duration(rand.Int64N(int64(20 * time.Millisecond << attempt)))
		select {
		case <-ctx.Done():
			return err
		case <-time.After(jitter):
		}
	}
}

func transient(err error) bool {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg.Code == "40001" || pg.Code == "40P01" || pg.Code == "55P03"
	}
	return false
}

// Outage reports whether err says that PostgreSQL cannot be reached or takes no
// writes, so that the work at hand is not to blame and should be kept until it
// can.
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
