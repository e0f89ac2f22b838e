package job

import (
	"time"

	"github.com/riverqueue/river/rivertype"
)

const (
	// MaxAttempts is the first try and five retries.
	MaxAttempts = 6
	// maxDoublings ends the schedule: 1, 2, 4, 8, 16 times the base.
	maxDoublings = 4
)

// retryPolicy doubles the wait after each failure. It is River's policy for
// every job.
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

// After returns when a job is tried again whose attempt, counted from 1, fails
// now.
func (q *Queue) After(attempt int) time.Time { return q.Now().Add(q.policy.wait(attempt)) }
