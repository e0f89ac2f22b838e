package broker

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// Handler handles one delivery. It runs concurrently with itself, may see a
// message again, and says by its error what becomes of it; see the package
// documentation. Its ctx outlives the stop of consuming by the drain timeout.
type Handler func(ctx context.Context, d Delivery) error

// ConsumerOptions of one call of Consume.
type ConsumerOptions struct {
	// Queue is consumed from. Required.
	Queue string
	// DeadLetter is the exchange that messages go to that cannot be handled.
	// Required.
	DeadLetter string
	// Workers handle messages at the same time. Default 8.
	Workers int
	// Prefetch is how many messages the broker hands out ahead. Default: twice
	// the workers.
	Prefetch int
	// MaxBody is the longest body in bytes that a handler gets to see. Default
	// 1 MiB.
	MaxBody int
	// RequeueDelay passes before a failed message is given back the first
	// time; it doubles with each delivery, up to 5 s. Default 100 ms.
	RequeueDelay time.Duration
	// Probe is tried, with growing waits, while consuming pauses; nil error
	// ends the pause. Default: consuming is tried again after each wait.
	Probe func(ctx context.Context) error
	// FirstProbe and MaxProbe bound those waits. Default 250 ms and 5 s.
	FirstProbe, MaxProbe time.Duration
	// DrainTimeout is how long handlers may go on after consuming was told to
	// stop. Default 10 s.
	DrainTimeout time.Duration
	// Logger. Default: that of the Conn.
	Logger *slog.Logger
}

// Validate refuses options that make no sense.
func (o *ConsumerOptions) Validate() error {
	switch {
	case o.Queue == "":
		return errors.New("consumer options: Queue must be set")
	case o.DeadLetter == "":
		return errors.New("consumer options: DeadLetter must be set")
	case o.Workers < 0 || o.Prefetch < 0 || o.Prefetch > 65535 || o.MaxBody < 0:
		return errors.New("consumer options: Workers, Prefetch (at most 65535) and MaxBody must not be negative")
	case o.RequeueDelay < 0 || o.FirstProbe < 0 || o.MaxProbe < 0 || o.DrainTimeout < 0:
		return errors.New("consumer options: durations must not be negative")
	}
	return nil
}

func (o *ConsumerOptions) setDefaults(c *Conn) {
	setDefault(&o.Workers, 8)
	setDefault(&o.Prefetch, 2*o.Workers)
	setDefault(&o.MaxBody, 1<<20)
	setDefault(&o.RequeueDelay, 100*time.Millisecond)
	setDefault(&o.FirstProbe, 250*time.Millisecond)
	setDefault(&o.MaxProbe, 5*time.Second)
	setDefault(&o.DrainTimeout, 10*time.Second)
	if o.Logger == nil {
		o.Logger = c.opts.Logger
	}
	o.Logger = o.Logger.With("queue", o.Queue)
}
