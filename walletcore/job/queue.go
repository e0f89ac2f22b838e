package job

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"
)

const (
	schema = "casino"
	// rescueFactor times the job's time-out, 2 minutes by default, is when the
	// job of a killed process is taken from it. River's default is an hour.
	rescueFactor  = 4
	keepForever   = -1
	fetchCooldown = 20 * time.Millisecond
)

// Queue holds the jobs of casino. Services register what they work, then it is
// started; jobs can be inserted before.
type Queue struct {
	opts    Options
	policy  *retryPolicy
	workers *river.Workers
	lanes   map[string]river.QueueConfig
	sweeps  []Sweep
	client  func() (*river.Client[pgx.Tx], error)

	stop  context.CancelFunc
	swept chan struct{}
}

// New checks the options. Nothing runs yet.
func New(o Options) (*Queue, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	q := &Queue{opts: o.withDefaults(), workers: river.NewWorkers(), lanes: map[string]river.QueueConfig{}}
	q.policy = &retryPolicy{base: q.opts.RetryBase, clock: q.Now}
	q.client = sync.OnceValues(q.connect)
	return q, nil
}

// connect makes River's client, of everything that was registered until now.
func (q *Queue) connect() (*river.Client[pgx.Tx], error) {
	client, err := river.NewClient(riverpgxv5.New(q.opts.Pool), q.config())
	if err != nil {
		return nil, fmt.Errorf("connect job queue: %w", err)
	}
	return client, nil
}

// config sets what River's defaults get wrong for money: jobs that were given
// up are evidence and stay, and a killed process is noticed in minutes.
func (q *Queue) config() *river.Config {
	return &river.Config{
		Schema:                      schema,
		Workers:                     q.workers,
		Queues:                      q.lanes,
		MaxAttempts:                 MaxAttempts,
		RetryPolicy:                 q.policy,
		JobTimeout:                  q.opts.JobTimeout,
		RescueStuckJobsAfter:        rescueFactor * q.opts.JobTimeout,
		DiscardedJobRetentionPeriod: keepForever,
		CancelledJobRetentionPeriod: keepForever,
		FetchCooldown:               min(fetchCooldown, q.opts.PollInterval),
		FetchPollInterval:           q.opts.PollInterval,
		PollOnly:                    q.opts.PollOnly,
		SoftStopTimeout:             q.opts.StopTimeout,
		Logger:                      q.opts.Logger,
		// casino does not own the tables and could not rebuild their indexes.
		ReindexerIndexNames: []string{},
	}
}

// Start begins to work jobs and to sweep, until Stop or until ctx ends.
func (q *Queue) Start(ctx context.Context) error {
	client, err := q.client()
	if err != nil {
		return err
	}
	if err := client.Start(ctx); err != nil {
		return fmt.Errorf("start job queue: %w", err)
	}
	ctx, q.stop = context.WithCancel(ctx)
	q.swept = make(chan struct{})
	go q.sweepEvery(ctx)
	return nil
}

// Stop lets running jobs end, at most for StopTimeout, and returns when they
// have. A job that had to be interrupted is worked again by the next Start,
// here or elsewhere, and does not lose an attempt.
func (q *Queue) Stop(ctx context.Context) error {
	if q.stop == nil {
		return nil
	}
	q.stop()
	client, err := q.client()
	if err == nil {
		err = client.Stop(ctx)
	}
	select {
	case <-q.swept:
	case <-ctx.Done():
	}
	if err != nil {
		return fmt.Errorf("stop job queue: %w", err)
	}
	return nil
}

// Insert adds a job to the transaction and returns its id. Where the same job
// exists, in whatever state, it is that one's id and nothing is added.
func (q *Queue) Insert(ctx context.Context, tx pgx.Tx, args river.JobArgs, opts river.InsertOpts) (int64, error) {
	opts.UniqueOpts = river.UniqueOpts{ByArgs: true, ByState: rivertype.JobStates()}
	client, err := q.client()
	if err != nil {
		return 0, err
	}
	res, err := client.InsertTx(ctx, tx, args, &opts)
	if err != nil {
		return 0, fmt.Errorf("queue %s: %w", args.Kind(), err)
	}
	return res.Job.ID, nil
}

// ErrGone says that there is no job of this id any more.
var ErrGone = errors.New("job is gone")

// Retry has a job worked again, now, in whatever state it ended, with one more
// attempt where it had used up all. ErrGone where there is none.
func (q *Queue) Retry(ctx context.Context, tx pgx.Tx, id int64) error {
	client, err := q.client()
	if err != nil {
		return err
	}
	_, err = client.JobRetryTx(ctx, tx, id)
	switch {
	case errors.Is(err, rivertype.ErrNotFound):
		return ErrGone
	case err != nil:
		return fmt.Errorf("work job %d again: %w", id, err)
	}
	return nil
}

// Now is the clock in UTC and in microseconds, as PostgreSQL keeps it.
func (q *Queue) Now() time.Time { return q.opts.Clock().UTC().Truncate(time.Microsecond) }
