package ledger

import (
	"context"
	"log/slog"
	"time"
)

const beat = `
update gaming.heartbeat
set beat_at = clock_timestamp()
where beat_at < clock_timestamp() - interval '1 second'`

// Beat touches the heartbeat row every so often until ctx ends: how old it is
// on a replica tells how far the replica has come. Several processes may beat.
// A beat that fails is logged; the next one follows.
func (l *Ledger) Beat(ctx context.Context, every time.Duration, logger *slog.Logger) error {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		if _, err := l.pool.Exec(ctx, beat); err != nil && ctx.Err() == nil {
			logger.WarnContext(ctx, "heartbeat was not written", "error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}
