package replay

import (
	"context"
	"fmt"
	"time"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/deposit"
	"github.com/walletctl/walletctl/walletcore/withdrawal"
)

// Result is what came of a replay.
type Result struct {
	Subject Subject             `json:"subject"`
	Outcome Outcome             `json:"outcome"`
	Status  string              `json:"status,omitempty"` // of the deposit or withdrawal now
	Receipt *walletcore.Receipt `json:"receipt"`          // gaming's, where it has one now
	Error   string              `json:"error,omitempty"`  // of the attempt, where it failed
	Class   string              `json:"error_class,omitempty"`
}

// OK reports whether nothing is left to do.
func (r *Result) OK() bool { return r.Outcome == Done }

const pollEvery = 100 * time.Millisecond

// Wait returns what came of a replay: its receipt, or the new error. Where ctx
// ends first, the outcome is TimedOut, and the replay goes on.
//
// An attempt that had ended when the replay found it running is asked for once
// more. A database that cannot be read is asked again until ctx ends.
func (d *Desk) Wait(ctx context.Context, sent Sent) (Result, error) {
	ticker := time.NewTicker(pollEvery)
	defer ticker.Stop()
	for {
		results, err := d.look(ctx, []*Sent{&sent})
		if err == nil && !results[0].Outcome.Pending() {
			return results[0], nil
		}
		select {
		case <-ctx.Done():
			return timedOut(&sent, err), nil
		case <-ticker.C:
		}
	}
}

// timedOut tells of a replay that is not waited for any longer, and where it
// may be held up.
func timedOut(sent *Sent, err error) Result {
	r := Result{Subject: sent.Subject, Outcome: TimedOut}
	switch {
	case err != nil:
		r.Error = err.Error()
	case sent.Outcome == Lost:
		r.Error = "its job was gone, and casino's sweep has not given it a new one yet"
	default:
		r.Error = "its job waits or is at work: does casino run?"
	}
	return r
}

// Look returns what came of a replay as far as is known now, without waiting.
func (d *Desk) Look(ctx context.Context, sent Sent) (Result, error) {
	results, err := d.look(ctx, []*Sent{&sent})
	if err != nil {
		return Result{Subject: sent.Subject, Outcome: sent.Outcome}, err
	}
	return results[0], nil
}

// look tells of many at once. A Sent whose attempt had ended already is sent
// again, and changed.
func (d *Desk) look(ctx context.Context, sent []*Sent) ([]Result, error) {
	pending := make([]Sent, 0, len(sent))
	for _, s := range sent {
		if s.Outcome.Pending() {
			pending = append(pending, *s)
		}
	}
	heard, err := d.news(ctx, pending)
	if err != nil {
		return nil, err
	}
	results := make([]Result, 0, len(sent))
	for _, s := range sent {
		n := news{}
		if s.Outcome.Pending() {
			n, heard = heard[0], heard[1:]
		}
		r, err := d.resultOf(ctx, s, n)
		if err != nil {
			return nil, fmt.Errorf("look after %s: %w", s.Subject.ID, err)
		}
		results = append(results, r)
	}
	return results, nil
}

func (d *Desk) resultOf(ctx context.Context, s *Sent, n news) (Result, error) {
	r := Result{Subject: s.Subject, Outcome: s.Outcome}
	switch {
	case s.Outcome == Unknown:
		return r, nil
	case !s.Outcome.Pending():
	case n.failed():
		r.Outcome, r.Class, r.Error = Failed, n.class, n.detail
	case n.kind != "":
		r.Outcome = Done
	case s.Outcome == Running && n.givenUp():
		// What was found running had ended, and was about to be given up.
		again, err := d.Send(ctx, s.Subject, s.why)
		if err != nil {
			return r, err
		}
		*s = again
		r.Outcome = again.Outcome
	case s.Outcome == Queued && n.givenUp():
		r.Outcome, r.Class, r.Error = Failed, "unknown", "the job queue gave it up and nobody wrote down why"
	}
	if r.Outcome.Pending() {
		return r, nil
	}
	return r, d.standing(ctx, &r)
}

// standing adds how the subject stands now, with its receipt. What is credited
// is done, whoever did it.
func (d *Desk) standing(ctx context.Context, r *Result) error {
	switch r.Subject.Type {
	case Deposit:
		found, err := (&deposit.Store{Pool: d.Casino}).Find(ctx, r.Subject.ID)
		if err != nil {
			return err
		}
		r.Status, r.Receipt = string(found.Status), found.Receipt
		if found.Status == deposit.Credited {
			r.Outcome, r.Class, r.Error = Done, "", ""
		}
	case Withdrawal:
		w, err := (&withdrawal.Store{Pool: d.Casino}).Find(ctx, r.Subject.ID)
		if err != nil {
			return err
		}
		r.Status, r.Receipt = string(w.Status), w.Receipt
		if w.Reversal != nil {
			r.Receipt = w.Reversal
		}
	}
	return nil
}
