package rpc

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"
)

// ServerOptions of a server.
type ServerOptions struct {
	// Workers post at the same time. Default 32.
	Workers int
	// Prefetch is how many requests the broker hands out ahead. Default: twice
	// the workers.
	Prefetch int
	// Probe says whether the ledger can be reached. While it cannot, requests
	// are answered "retry" and consuming pauses. Default: each time that
	// consuming is tried again.
	Probe func(ctx context.Context) error
	// FirstProbe and MaxProbe bound the waits between probes. Default 250 ms
	// and 5 s.
	FirstProbe, MaxProbe time.Duration
	// RequeueDelay passes before a request that failed is given back; it
	// doubles with each delivery. Default 100 ms.
	RequeueDelay time.Duration
	// DrainTimeout is how long requests in flight may go on after the end of
	// Serve's context. Default 10 s.
	DrainTimeout time.Duration
	// MaxBody is the longest request in bytes. Default 1 MiB.
	MaxBody int
	// Declared, where set, is called once the queue is there and bound: from
	// then on a call is delivered.
	Declared func()
	// Logger. Default: that of the connection.
	Logger *slog.Logger
	// Stats counts, where it is given.
	Stats *ServerStats
	// Now is the clock that deadlines are compared with. Default time.Now.
	Now func() time.Time
}

// Validate refuses options that make no sense.
func (o *ServerOptions) Validate() error {
	if o.Workers < 0 || o.Prefetch < 0 || o.MaxBody < 0 {
		return errors.New("rpc server options: Workers, Prefetch and MaxBody must not be negative")
	}
	if o.FirstProbe < 0 || o.MaxProbe < 0 || o.RequeueDelay < 0 || o.DrainTimeout < 0 {
		return errors.New("rpc server options: durations must not be negative")
	}
	return nil
}

func (o *ServerOptions) setDefaults() {
	if o.Workers == 0 {
		o.Workers = 32
	}
	if o.Stats == nil {
		o.Stats = new(ServerStats)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
}

// ServerStats counts requests by what became of them.
type ServerStats struct {
	Posted   atomic.Int64 // posted now
	Replayed atomic.Int64 // found posted
	Conflict atomic.Int64
	Refused  atomic.Int64
	Invalid  atomic.Int64 // malformed ones included
	Retry    atomic.Int64 // answered while the ledger was away or busy, or the brand not live
	Expired  atomic.Int64 // dropped or given up: nobody waits any more
	Failed   atomic.Int64 // given back to the broker
	Unheard  atomic.Int64 // replies that could not be sent
}

func (s *ServerStats) count(r *reply) {
	switch r.Outcome {
	case outcomePosted:
		if r.Posted.Replayed {
			s.Replayed.Add(1)
		} else {
			s.Posted.Add(1)
		}
	case outcomeConflict:
		s.Conflict.Add(1)
	case outcomeRefused:
		s.Refused.Add(1)
	case outcomeInvalid:
		s.Invalid.Add(1)
	case outcomeRetry:
		s.Retry.Add(1)
	}
}
