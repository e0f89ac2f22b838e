package replay

import (
	"context"
	"errors"
	"time"

	"github.com/walletctl/walletctl/walletcore"
)

// RunOptions of a bulk replay.
type RunOptions struct {
	Subjects []Subject     // in this order
	Why      string        // kept with the login
	Rate     int           // sends a second, at most; 50 by default
	Timeout  time.Duration // how long to wait for each outcome; 30 s by default
	InFlight int           // replays whose outcome is waited for at the same time; 32 by default
	// Progress, where set, hears of each outcome, one at a time.
	Progress func(r Result, done, all int)
}

// Validate refuses options that cannot be meant. The error is a
// *walletcore.FieldError.
func (o *RunOptions) Validate() error {
	switch {
	case len(o.Subjects) == 0:
		return &walletcore.FieldError{Field: "id", Reason: "is missing: there is nothing to send again"}
	case o.Rate < 0 || o.Rate > 10_000:
		return &walletcore.FieldError{Field: "rate", Reason: "must be between 1 and 10000 a second"}
	case o.Timeout < 0 || o.InFlight < 0:
		return &walletcore.FieldError{Field: "timeout", Reason: "must not be negative"}
	}
	return nil
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
		c.InFlight = 32
	}
	if c.Progress == nil {
		c.Progress = func(Result, int, int) {}
	}
	return c
}

// Run sends subjects again, at a rate, and waits for what comes of each. Where
// ctx ends it begins no other, and waits for those that it has begun: each
// result tells of one that was begun.
//
// The error is a *PartialError where not all are done. A run that was killed is
// simply begun again, on what is still stuck.
func (d *Desk) Run(ctx context.Context, o RunOptions) ([]Result, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	opts := o.withDefaults()
	answers := make(chan answer)
	go d.sendAll(ctx, opts, answers)
	results := make([]Result, 0, len(opts.Subjects))
	partial := PartialError{}
	for a := range answers {
		if a.err != nil {
			partial.Err = errors.Join(partial.Err, a.err)
			continue
		}
		results = append(results, a.result)
		if a.result.OK() {
			partial.Done++
		} else {
			partial.Failed++
		}
		opts.Progress(a.result, len(results), len(opts.Subjects))
	}
	partial.Left = len(opts.Subjects) - len(results)
	if partial.Err == nil && partial.Left > 0 {
		partial.Err = ctx.Err()
	}
	if partial.Failed > 0 || partial.Left > 0 {
		return results, &partial
	}
	return results, nil
}

type answer struct {
	result Result
	err    error
}

// sendAll begins one after another and closes answers when all that it began
// have ended.
func (d *Desk) sendAll(ctx context.Context, o RunOptions, answers chan<- answer) {
	ticker := time.NewTicker(time.Second / time.Duration(o.Rate))
	defer ticker.Stop()
	places := make(chan struct{}, o.InFlight)
	var stop error
	for i, subject := range o.Subjects {
		if i > 0 {
			select {
			case <-ctx.Done():
			case <-ticker.C:
			}
		}
		if ctx.Err() != nil {
			break
		}
		// Neither this send nor its outcome is cut off by an interrupt: what was
		// begun is told.
		sent, err := d.Send(context.WithoutCancel(ctx), subject, o.Why)
		if err != nil {
			stop = err
			break
		}
		places <- struct{}{}
		go func() {
			defer func() { <-places }()
			wait, cancel := context.WithTimeout(context.WithoutCancel(ctx), o.Timeout)
			defer cancel()
			result, err := d.Wait(wait, sent)
			answers <- answer{result, err}
		}()
	}
	for range o.InFlight {
		places <- struct{}{}
	}
	if stop != nil {
		answers <- answer{err: stop}
	}
	close(answers)
}
