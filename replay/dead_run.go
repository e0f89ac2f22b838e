package replay

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/walletctl/walletctl/walletcore"
)

// DeadRun is one act on many dead letters.
type DeadRun struct {
	Refs    []Ref // in this order
	Discard bool  // discard them, instead of sending them again
	Note    string
	// Timeout is how long to wait for what comes of a part of them; 30 s by
	// default.
	Timeout time.Duration
	// Progress, where set, hears of each outcome.
	Progress func(r DeadResult, done, all int)
}

// Validate refuses a run that cannot be meant. The error is a
// *walletcore.FieldError.
func (o *DeadRun) Validate() error {
	if len(o.Refs) == 0 {
		return &walletcore.FieldError{Field: "dead letter", Reason: "is missing: there is nothing to act on"}
	}
	return CheckDeadNote(o.Note)
}

// deadPart is how many are asked for before what comes of them is waited for:
// an interrupt ends the run after a part.
const deadPart = 200

// RunDead acts on dead letters one after another, and waits for what comes of
// each. Where ctx ends it begins no other, and waits for those that it has
// begun. The error is a *PartialError where not all are done. A run that was
// killed is simply begun again, on what still waits.
func (d *Desk) RunDead(ctx context.Context, o DeadRun) ([]DeadResult, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.Timeout == 0 {
		o.Timeout = 30 * time.Second
	}
	run := deadRun{DeadRun: o, desk: d}
	partial := PartialError{}
	for part := range slices.Chunk(o.Refs, deadPart) {
		if partial.Err = errors.Join(run.do(ctx, part), ctx.Err()); partial.Err != nil {
			break
		}
	}
	for i := range run.results {
		if run.results[i].OK() {
			partial.Done++
		} else {
			partial.Failed++
		}
	}
	partial.Left = len(o.Refs) - len(run.results)
	if partial.Failed > 0 || partial.Left > 0 {
		return run.results, &partial
	}
	return run.results, nil
}

type deadRun struct {
	DeadRun
	desk    *Desk
	results []DeadResult
}

// do begins a part of the letters and waits for what comes of those that it
// has begun. The error is what ends the run.
func (r *deadRun) do(ctx context.Context, part []Ref) error {
	asked := map[string][]int64{} // by schema
	var stop error
	for _, ref := range part {
		if stop = ctx.Err(); stop != nil {
			break
		}
		if stop = r.begin(context.WithoutCancel(ctx), ref, asked); stop != nil {
			break
		}
	}
	for schema, numbers := range asked {
		wait, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.Timeout)
		results, err := r.desk.waitDead(wait, schema, numbers)
		cancel()
		if err != nil {
			return errors.Join(stop, err)
		}
		for _, n := range numbers {
			r.add(results[n])
		}
	}
	return stop
}

// begin acts on one letter. What only this one is to blame for is its result.
func (r *deadRun) begin(ctx context.Context, ref Ref, asked map[string][]int64) error {
	act := "requeue"
	if r.Discard {
		act = "discard"
	}
	err := r.desk.actDead(ctx, act, ref, r.Note)
	var refused *DeadError
	switch {
	case err == nil && r.Discard:
		r.add(DeadResult{Ref: ref, Outcome: Done, State: "discarded"})
	case err == nil:
		asked[ref.Schema] = append(asked[ref.Schema], ref.Number)
	case errors.As(err, &refused) || errors.Is(err, ErrNotFound):
		r.add(DeadResult{Ref: ref, Outcome: Failed, Error: err.Error()})
	default:
		return err
	}
	return nil
}

func (r *deadRun) add(result DeadResult) {
	r.results = append(r.results, result)
	if r.Progress != nil {
		r.Progress(result, len(r.results), len(r.Refs))
	}
}
