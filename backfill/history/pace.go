package history

import (
	"context"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// pace keeps a run from slowing others: by a rate, and by giving way to those
// who wait for a lock.
type pace struct {
	limiter *rate.Limiter // nil: no rate
	full    int           // rows a batch, where nobody waits

	mu   sync.Mutex
	rows int // rows a batch, as of now
}

const (
	// leastRows is the smallest batch that is made where others wait.
	leastRows = 100
	// giveWay is how long a writer stands back from somebody who waits.
	giveWay = 50 * time.Millisecond
)

func newPace(o *Options) *pace {
	p := &pace{full: o.BatchRows, rows: o.BatchRows}
	if o.Rate > 0 {
		p.limiter = rate.NewLimiter(rate.Limit(o.Rate), max(o.Rate/10, 1))
	}
	return p
}

// size is how many rows the next batch should have.
func (p *pace) size() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.rows
}

// spend waits until so many rows may be written.
func (p *pace) spend(ctx context.Context, rows int64) error {
	if p.limiter == nil {
		return nil
	}
	for rows > 0 {
		n := min(rows, int64(p.limiter.Burst()))
		if err := p.limiter.WaitN(ctx, int(n)); err != nil {
			return err
		}
		rows -= n
	}
	return nil
}

// countWaiting counts those who wait for a lock of this database's rows or
// transactions.
const countWaiting = `
select count(*)
from pg_locks
where not granted and locktype in ('transactionid', 'tuple')`

// yield stands back while others wait, for a while; batches shrink meanwhile,
// and grow again after.
func (p *pace) yield(ctx context.Context, db querier) error {
	for range 20 {
		var waiting int
		if err := db.QueryRow(ctx, countWaiting).Scan(&waiting); err != nil {
			return err
		}
		p.adapt(waiting > 0)
		if waiting == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(giveWay):
		}
	}
	return nil
}

func (p *pace) adapt(waiting bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if waiting {
		p.rows = max(min(leastRows, p.full), p.rows/2)
	} else {
		p.rows = min(p.full, p.rows+max(p.rows/4, 1))
	}
}
