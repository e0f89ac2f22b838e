package history

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"
)

// holdBrand is held by the session that writes: two runs over one brand would
// wait for each other, and count each other's wallets.
const holdBrand = `select pg_try_advisory_lock(hashtextextended('walletctl backfill history ' || $1, 0))`

// alone holds the brand for this run. The error is ErrRunning where another one
// does.
func alone(ctx context.Context, pool *pgxpool.Pool, o *Options) (unlock func(), err error) {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	// Closing the session, not the statement, gives the lock back, also where
	// this process dies.
	unlock = func() { _ = conn.Hijack().Close(context.WithoutCancel(ctx)) }
	var mine bool
	if err := conn.QueryRow(ctx, holdBrand, o.Brand).Scan(&mine); err != nil {
		unlock()
		return nil, fmt.Errorf("hold the brand: %w", err)
	}
	if !mine {
		unlock()
		return nil, ErrRunning
	}
	return unlock, removeLeft(o)
}
