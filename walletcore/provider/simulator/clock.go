package simulator

import (
	"context"
	"time"
)

// Clock decides how long a provider waits before it sends again. Safe for
// concurrent use.
type Clock interface {
	Now() time.Time
	// Wait returns when d has passed, or with the context's error.
	Wait(ctx context.Context, d time.Duration) error
}

// FastClock is the time of day on which waiting passes Speed times faster: at
// 36,000 an hour of waiting takes a tenth of a second. A Speed below 1 is 1.
type FastClock struct {
	Speed int
}

// Now implements [Clock].
func (FastClock) Now() time.Time { return time.Now() }

// Wait implements [Clock].
func (c FastClock) Wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d / time.Duration(max(c.Speed, 1)))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
