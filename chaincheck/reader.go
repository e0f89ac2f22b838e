package chaincheck

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// inKeyOrder goes before a COPY that follows the primary key: the batch must
// begin at once, not after a sort of what lies behind it, and compiling a plan
// takes longer than the batch. Both hold for this one message only, so that
// nothing is left on a connection that a pooler hands on.
const inKeyOrder = `set local jit = off; set local enable_seqscan = off; set local enable_bitmapscan = off; ` +
	`set local enable_sort = off; set local work_mem = '64MB'; `

// byLookUp goes before a COPY that compares each row of a slice with rows of
// other tables, which are larger than the slice.
const byLookUp = `set local jit = off; set local enable_hashjoin = off; set local enable_mergejoin = off; ` +
	`set local max_parallel_workers_per_gather = 0; `

// reader runs statements that recovery may cancel.
type reader struct {
	pool     *pgxpool.Pool
	attempts int
	timeout  time.Duration
	log      *slog.Logger

	retries atomic.Int64
	// lost is set once a statement has used up its attempts because there is no
	// connection: the others then fail at once, and do not wait to find out the
	// same.
	lost atomic.Bool
}

// copyOut runs one COPY ... TO STDOUT (FORMAT binary) and hands each row over.
func (r *reader) copyOut(ctx context.Context, query string, row func([][]byte) error) error {
	ctx, cancel := context.WithTimeout(ctx, r.timeout)
	defer cancel()
	conn, err := r.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	stream := &copyStream{row: row}
	if _, err := conn.Conn().PgConn().CopyTo(ctx, stream, query); err != nil {
		return err
	}
	if !stream.ended {
		return errCopyFormat
	}
	return nil
}

// retry calls attempt until it succeeds, fails for good, or has failed too
// often in a row without coming forward.
func (r *reader) retry(ctx context.Context, attempt func() (forward bool, err error)) error {
	return r.repeat(ctx, r.attempts, attempt)
}

// repeat is retry with another number of attempts.
func (r *reader) repeat(ctx context.Context, attempts int, attempt func() (forward bool, err error)) error {
	for failed := 1; ; failed++ {
		forward, err := attempt()
		if err == nil {
			return nil
		}
		if forward {
			failed = 1
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if !passing(err) || failed >= attempts || r.lost.Load() {
			if isLost(err) && failed >= r.attempts {
				r.lost.Store(true)
			}
			return fmt.Errorf("after %d attempts: %w", failed, err)
		}
		r.retries.Add(1)
		r.log.Info("chain check repeats a statement", "attempt", failed, "error", err)
		if err := pause(ctx, failed); err != nil {
			return err
		}
	}
}

// pause waits 100 ms, 200 ms, 400 ms and so on, half of it at random, at most 3
// seconds.
func pause(ctx context.Context, failed int) error {
	wait := min(50*time.Millisecond<<failed, 3*time.Second)
	timer := time.NewTimer(wait/2 + rand.N(wait/2))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
