package replay

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/deposit"
	"github.com/walletctl/walletctl/walletcore/withdrawal"
)

// Outcome is what came of asking for a replay, or of the replay itself.
type Outcome string

// The outcomes.
const (
	Queued      Outcome = "queued"       // its job works again now
	Running     Outcome = "running"      // its job is at work or about to be
	Lost        Outcome = "lost"         // its job is gone; casino's sweep gives it a new one within a minute
	Done        Outcome = "done"         // done: before, or by this replay
	NotDue      Outcome = "not_due"      // there is nothing that waits to be sent: not paid, or not our turn
	ChargedBack Outcome = "charged_back" // the gateway took the money back; a person decides
	Unknown     Outcome = "unknown"      // there is no such thing
	Failed      Outcome = "failed"       // it was tried again, and failed again
	TimedOut    Outcome = "timed_out"    // it is still at work; look again later
)

// Pending reports whether the outcome of a replay is still to come.
func (o Outcome) Pending() bool { return o == Queued || o == Running || o == Lost }

// Sent is a replay that was asked for.
type Sent struct {
	Subject Subject
	Outcome Outcome
	JobID   int64
	after   int64 // the last line of its history before
}

// Send has the kept job of a subject work again, and returns at once. The
// reason is kept with the login. ErrForbidden where the login may not.
func (d *Desk) Send(ctx context.Context, s Subject, why string) (Sent, error) {
	sent := Sent{Subject: s}
	call, args := "", []any{s.ID, why}
	switch s.Type {
	case Deposit:
		call = `select outcome, coalesce(job, 0), after_event from casino.replay_deposit($1, $2)`
	case Withdrawal:
		call = `select outcome, coalesce(job, 0), after_event from casino.replay_withdrawal($1, $2)`
	case Effect:
		id, name, _ := strings.Cut(s.ID, "/")
		call = `select outcome, coalesce(job, 0), after_event from casino.replay_effect($1, $2, $3)`
		args = []any{id, name, why}
	default:
		return sent, &walletcore.FieldError{Field: "id", Reason: "is of something that is not sent again"}
	}
	err := d.Casino.QueryRow(ctx, call, args...).Scan(&sent.Outcome, &sent.JobID, &sent.after)
	return sent, actError("send "+s.ID+" again", Ref{}, err)
}

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
func (d *Desk) Wait(ctx context.Context, sent Sent) (Result, error) {
	ticker := time.NewTicker(pollEvery)
	defer ticker.Stop()
	for {
		result, err := d.Look(ctx, sent)
		if err == nil && !result.Outcome.Pending() {
			return result, nil
		}
		if err != nil && ctx.Err() == nil {
			return result, err
		}
		select {
		case <-ctx.Done():
			result.Subject, result.Outcome = sent.Subject, TimedOut
			return result, nil
		case <-ticker.C:
		}
	}
}

// Look returns what came of a replay as far as is known now, without waiting.
func (d *Desk) Look(ctx context.Context, sent Sent) (Result, error) {
	r := Result{Subject: sent.Subject, Outcome: sent.Outcome}
	if sent.Outcome == Unknown {
		return r, nil
	}
	var err error
	switch sent.Subject.Type {
	case Deposit:
		err = d.lookDeposit(ctx, sent, &r)
	case Withdrawal:
		err = d.lookWithdrawal(ctx, sent, &r)
	default:
		err = d.lookEffect(ctx, sent, &r)
	}
	if err != nil {
		return r, fmt.Errorf("look after %s: %w", sent.Subject.ID, err)
	}
	return r, nil
}

func (d *Desk) lookDeposit(ctx context.Context, sent Sent, r *Result) error {
	store := &deposit.Store{Pool: d.Casino}
	found, err := store.Find(ctx, sent.Subject.ID)
	if err != nil {
		return err
	}
	r.Status, r.Receipt = string(found.Status), found.Receipt
	if found.Status == deposit.Credited {
		r.Outcome = Done
		return nil
	}
	return d.lookFailure(ctx, sent, r, "deposit", `'credit_failed'`)
}

func (d *Desk) lookWithdrawal(ctx context.Context, sent Sent, r *Result) error {
	store := &withdrawal.Store{Pool: d.Casino}
	w, err := store.Find(ctx, sent.Subject.ID)
	if err != nil {
		return err
	}
	r.Status, r.Receipt = string(w.Status), w.Receipt
	if w.Reversal != nil {
		r.Receipt = w.Reversal
	}
	moved, err := d.moved(ctx, sent)
	if err != nil || moved {
		r.Outcome = Done
		return err
	}
	return d.lookFailure(ctx, sent, r, "withdrawal", `'debit_failed', 'payout_failed', 'reversal_failed'`)
}

// moved reports whether the withdrawal took a step since the replay.
func (d *Desk) moved(ctx context.Context, sent Sent) (bool, error) {
	if !sent.Outcome.Pending() {
		return sent.Outcome == Done, nil
	}
	var moved bool
	err := d.Casino.QueryRow(ctx, `
select exists (
  select from casino.withdrawal_events
  where withdrawal_id = $1 and id > $2 and kind in ('debited', 'rejected', 'reversed', 'payout_requested'))`,
		sent.Subject.ID, sent.after).Scan(&moved)
	return moved, err
}

func (d *Desk) lookEffect(ctx context.Context, sent Sent, r *Result) error {
	id, name, _ := strings.Cut(sent.Subject.ID, "/")
	var published bool
	err := d.Casino.QueryRow(ctx, `select published_at is not null from casino.effects where deposit_id = $1 and effect = $2`,
		id, name).Scan(&published)
	if err != nil || published {
		r.Outcome = Done
		return err
	}
	sent.Subject.ID = id
	return d.lookFailure(ctx, sent, r, "deposit", `'effect_failed'`)
}

// lookFailure finds the attempt that failed since the replay.
func (d *Desk) lookFailure(ctx context.Context, sent Sent, r *Result, what, kinds string) error {
	if !sent.Outcome.Pending() {
		return nil
	}
	rows, err := d.Casino.Query(ctx, fmt.Sprintf(`
select coalesce(error_class, ''), coalesce(detail, '')
from casino.%[1]s_events
where %[1]s_id = $1 and id > $2 and kind in (%[2]s)
order by id desc
limit 1`, what, kinds), sent.Subject.ID, sent.after)
	if err != nil {
		return err
	}
	defer rows.Close()
	if rows.Next() {
		r.Outcome = Failed
		if err := rows.Scan(&r.Class, &r.Error); err != nil {
			return err
		}
	}
	return errors.Join(rows.Err())
}
