package adjust

import (
	"context"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Listener hears the database say that an adjustment was requested or approved.
// Whoever subscribes goes on looking by itself: a NOTIFY can be lost.
type Listener struct {
	// Pool gives it a connection, which it keeps for itself. No pooler may share
	// it.
	Pool   *pgxpool.Pool
	Pause  time.Duration // before it connects again
	Logger *slog.Logger

	told []chan struct{}
}

// Subscribe returns a channel that has something whenever there is news. Call
// it before Run.
func (l *Listener) Subscribe() <-chan struct{} {
	told := make(chan struct{}, 1)
	l.told = append(l.told, told)
	return told
}

// Run listens, and connects again where the connection is lost, until ctx ends.
func (l *Listener) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		if err := l.listen(ctx); err != nil && ctx.Err() == nil {
			l.Logger.WarnContext(ctx, "no NOTIFY of adjustments for now", "error", err)
			select {
			case <-ctx.Done():
			case <-time.After(l.Pause):
			}
		}
	}
	return nil
}

func (l *Listener) listen(ctx context.Context) error {
	lent, err := l.Pool.Acquire(ctx)
	if err != nil {
		return err
	}
	conn := lent.Hijack() // it must not come back to the pool listening
	defer conn.Close(context.WithoutCancel(ctx))
	if _, err := conn.Exec(ctx, "listen gaming_adjustments"); err != nil {
		return err
	}
	for {
		l.tell() // at the beginning too: what was said before nobody heard
		if _, err := conn.WaitForNotification(ctx); err != nil {
			return err
		}
	}
}

func (l *Listener) tell() {
	for _, told := range l.told {
		select {
		case told <- struct{}{}:
		default: // it has not looked since the last time
		}
	}
}
