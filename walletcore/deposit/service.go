package deposit

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
)

// Service creates deposits, applies the messages of gateways to them and has
// them credited. Create and Apply work at once; jobs are worked between Start
// and Stop, by any number of services on one database.
type Service struct {
	Store
	opts   Options
	policy *retryPolicy
	jobs   *river.Client[pgx.Tx]
	stop   context.CancelFunc
	swept  chan struct{}
}

// NewService checks the options and connects the job queue. Nothing runs yet.
func NewService(o Options) (*Service, error) {
	opts := o.withDefaults()
	if err := opts.Validate(); err != nil {
		return nil, err
	}
	s := &Service{Store: Store{Pool: opts.Pool}, opts: opts}
	s.policy = &retryPolicy{base: opts.RetryBase, clock: s.now}
	jobs, err := river.NewClient(riverpgxv5.New(opts.Pool), s.queueConfig())
	if err != nil {
		return nil, fmt.Errorf("connect job queue: %w", err)
	}
	s.jobs = jobs
	return s, nil
}

// Start begins to work jobs and to sweep, until Stop or until ctx ends.
func (s *Service) Start(ctx context.Context) error {
	if err := s.jobs.Start(ctx); err != nil {
		return fmt.Errorf("start job queue: %w", err)
	}
	ctx, s.stop = context.WithCancel(ctx)
	s.swept = make(chan struct{})
	go s.sweepEvery(ctx)
	return nil
}

// Stop lets running jobs end, at most for StopTimeout, and returns when they
// have. A job that had to be interrupted is worked again by the next Start,
// here or elsewhere, and does not lose an attempt.
func (s *Service) Stop(ctx context.Context) error {
	if s.stop == nil {
		return nil
	}
	s.stop()
	err := s.jobs.Stop(ctx)
	select {
	case <-s.swept:
	case <-ctx.Done():
	}
	if err != nil {
		return fmt.Errorf("stop job queue: %w", err)
	}
	return nil
}

// now is the clock in UTC and in microseconds, as PostgreSQL keeps it.
func (s *Service) now() time.Time { return s.opts.Clock().UTC().Truncate(time.Microsecond) }
