package broker

import (
	"context"
	"math/rand/v2"
	"time"
)

// backoff gives growing waits with jitter: many processes that lose the same
// broker must not come back in the same millisecond.
type backoff struct {
	first, most time.Duration
	next        time.Duration
}

func (b *backoff) reset() { b.next = 0 }

// step returns the next wait: between half and all of a doubling time.
func (b *backoff) step() time.Duration {
	b.next = min(max(2*b.next, b.first), b.most)
	half := b.next / 2
	return half + rand.N(half+1)
}

// wait sleeps for the next step, and reports whether ctx is still alive.
func (b *backoff) wait(ctx context.Context) bool {
	timer := time.NewTimer(b.step())
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
