package deposit

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/riverqueue/river/rivertype"
)

const (
	// maxAttempts is the first try and five retries.
	maxAttempts = 6
	// maxDoublings ends the schedule: 1, 2, 4, 8, 16 times the base.
	maxDoublings = 4
)

// retryPolicy doubles the wait after each failure. It is River's policy for
// every job of this package.
type retryPolicy struct {
	base  time.Duration
	clock func() time.Time
}

// NextRetry implements river.ClientRetryPolicy.
func (p *retryPolicy) NextRetry(job *rivertype.JobRow) time.Time {
	return p.clock().Add(p.wait(job.Attempt))
}

// wait is how long to wait after a failed attempt, counted from 1. A job that
// was sent again by hand beyond its schedule waits as after the fifth.
func (p *retryPolicy) wait(attempt int) time.Duration {
	return p.base << min(max(attempt-1, 0), maxDoublings)
}

const maxTxAttempts = 4

// retryTx runs a whole transaction again where PostgreSQL says that trying
// again is the remedy: serialization failure, deadlock, lock time-out. What it
// runs must be a transaction of its own.
func retryTx(ctx context.Context, run func() error) error {
	for attempt := 1; ; attempt++ {
		err := run()
		if err == nil || attempt == maxTxAttempts || !transient(err) {
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
