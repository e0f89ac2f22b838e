package replay

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/walletctl/walletctl/walletcore"
)

// RunOptions of a bulk replay.
type RunOptions struct {
	Subjects []Subject     // in this order
	Why      string        // kept with the login
	Rate     int           // sends a second, at most MaxRate; 50 by default
	Timeout  time.Duration // how long to wait for each outcome; 30 s by default
	InFlight int           // replays whose outcome is waited for at the same time; those of a second by default, but 32 at the least
	// Progress, where set, hears of each outcome, one at a time.
	Progress func(r Result, done, all int)
}

// MaxRate is the most sends a second.
const MaxRate = 10_000

// Validate refuses options that cannot be meant. The error is a
// *walletcore.FieldError.
func (o *RunOptions) Validate() error {
	switch {
	case len(o.Subjects) == 0:
		return &walletcore.FieldError{Field: "id", Reason: "is missing: there is nothing to send again"}
	case o.Rate < 0 || o.Rate > MaxRate:
		return &walletcore.FieldError{Field: "rate", Reason: "must be between 1 and 10000 a second"}
	case o.Timeout < 0:
		return &walletcore.FieldError{Field: "timeout", Reason: "must not be negative"}
	case o.InFlight < 0:
		return &walletcore.FieldError{Field: "in_flight", Reason: "must not be negative"}
	}
	return checkText("why", o.Why, MaxWhy)
}

func (o *RunOptions) withDefaults() RunOptions {
	c := *o
	if c.Rate == 0 {
		c.Rate = 50
	}
	if c.Timeout == 0 {
		c.Timeout = 30 * time.Second
	}
	if c.InFlight == 0 {
		c.InFlight = max(32, c.Rate)
	}
	if c.Progress == nil {
		c.Progress = func(Result, int, int) {}
	}
	return c
}

// Run sends subjects again, at a rate, and waits for what comes of each. Where
// ctx ends it begins no other, and waits for those that it has begun: each
// result tells of one that was begun, in the order given.
//
// The error is a *PartialError where not all are done. A run that was killed is
// simply begun again, on what is still stuck.
func (d *Desk) Run(ctx context.Context, o RunOptions) ([]Result, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	r := &run{desk: d, o: o.withDefaults()}
	// Neither a send nor its outcome is cut off by an interrupt: what was begun
	// is told.
	err := r.follow(context.WithoutCancel(ctx), r.begin(ctx))
	places := make(map[Subject]int, len(o.Subjects))
	for i, subject := range o.Subjects {
		places[subject] = i
	}
	slices.SortStableFunc(r.results, func(a, b Result) int { return cmp.Compare(places[a.Subject], places[b.Subject]) })
	return r.results, r.verdict(ctx, err)
}

// verdict says how far the run came.
func (r *run) verdict(ctx context.Context, err error) error {
	partial := &PartialError{Left: len(r.o.Subjects) - len(r.results), Err: err}
	for i := range r.results {
		if r.results[i].OK() {
			partial.Done++
		} else {
			partial.Failed++
		}
	}
	if partial.Err == nil && partial.Left > 0 {
		partial.Err = ctx.Err()
	}
	if partial.Failed == 0 && partial.Left == 0 {
		return nil
	}
	return partial
}
