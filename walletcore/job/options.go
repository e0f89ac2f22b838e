package job

import (
	"errors"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Options configure a Queue.
type Options struct {
	Pool   *pgxpool.Pool    // of schema casino; one connection of it listens for jobs
	Clock  func() time.Time // time.Now by default
	Logger *slog.Logger     // discarded by default

	RetryBase     time.Duration // the first wait after a failure, doubled after each further one; 30 s by default
	JobTimeout    time.Duration // of one attempt, more than an RPC's deadline; 30 s by default. A killed process's job is rescued after 4 of it
	SweepInterval time.Duration // between two sweeps for lost jobs; 1 minute by default, negative for none
	StopTimeout   time.Duration // what running jobs get to end when the process stops; 10 s by default

	// PollOnly does without LISTEN, for a pooler in transaction mode. A job
	// then waits for PollInterval at the most, where it would start at once.
	PollOnly     bool
	PollInterval time.Duration // 1 s by default, 100 ms with PollOnly
}

// Validate refuses options that cannot work.
func (o *Options) Validate() error {
	switch {
	case o.Pool == nil:
		return errors.New("job options lack a pool")
	case o.RetryBase < 0 || o.StopTimeout < 0 || o.PollInterval < 0 || o.JobTimeout < 0:
		return errors.New("job options hold a negative duration")
	}
	return nil
}

func (o *Options) withDefaults() Options {
	c := *o
	if c.Clock == nil {
		c.Clock = time.Now
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	setDefault(&c.RetryBase, 30*time.Second)
	setDefault(&c.JobTimeout, 30*time.Second)
	setDefault(&c.SweepInterval, time.Minute)
	setDefault(&c.StopTimeout, 10*time.Second)
	if c.PollOnly {
		setDefault(&c.PollInterval, 100*time.Millisecond)
	}
	setDefault(&c.PollInterval, time.Second)
	return c
}

func setDefault(field *time.Duration, value time.Duration) {
	if *field == 0 {
		*field = value
	}
}
