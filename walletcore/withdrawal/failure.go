package withdrawal

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"github.com/walletctl/walletctl/walletcore/casework"
	"github.com/walletctl/walletctl/walletcore/job"
	"github.com/walletctl/walletctl/walletcore/pgtx"
)

// failure is one failed attempt of a step.
type failure struct {
	step    step
	id      string
	jobID   int64
	attempt int
	class   job.ErrorClass
	err     error
	next    time.Time // zero where there is no next attempt
}

func (s *Service) debitFailed(ctx context.Context, j *river.Job[debitArgs], cause error) error {
	return s.failed(ctx, debiting, j.Args.WithdrawalID, j.ID, j.Attempt, j.MaxAttempts, cause)
}

func (s *Service) reversalFailed(ctx context.Context, j *river.Job[reversalArgs], cause error) error {
	return s.failed(ctx, reversing, j.Args.WithdrawalID, j.ID, j.Attempt, j.MaxAttempts, cause)
}

// failed writes the failure down and tells the queue what to do: try again on
// the schedule, or, where the answer is final, give the job up. Where it cannot
// be written down, the sweep sees to it when the job is given up.
func (s *Service) failed(ctx context.Context, st step, id string, jobID int64, attempt, limit int, cause error) error {
	f := failure{step: st, id: id, jobID: jobID, attempt: attempt, class: job.Classify(cause), err: cause}
	if !f.class.Final() && attempt < limit {
		f.next = s.opts.Queue.After(attempt)
	}
	s.opts.Logger.WarnContext(ctx, "withdrawal step failed", "step", st.name, "withdrawal_id", id,
		"attempt", attempt, "class", f.class, "error", cause, "next_attempt_at", f.next)
	ctx, cancel := job.RecordContext(ctx)
	defer cancel()
	err := pgtx.Retry(ctx, func() error {
		return pgx.BeginFunc(ctx, s.Pool, func(tx pgx.Tx) error { return s.recordFailure(ctx, tx, &f) })
	})
	if errors.Is(err, pgtx.ErrSettled) {
		return nil
	}
	cause = errors.Join(fmt.Errorf("%s withdrawal %s: %w", st.name, id, cause), err)
	if f.class.Final() && err == nil {
		return river.JobCancel(cause)
	}
	return cause
}

const failWithdrawal = `
update casino.withdrawals
set attempts = attempts + 1, last_error = $2, last_error_class = $3, last_error_at = $4, next_attempt_at = $5
where id = $1 and status = $6`

// recordFailure writes the failure on the withdrawal and in its history, and
// opens the case of the last one. pgtx.ErrSettled where the step was done
// meanwhile.
func (s *Service) recordFailure(ctx context.Context, tx pgx.Tx, f *failure) error {
	err := settle(ctx, tx, failWithdrawal, f.id, pgtx.Clip(f.err.Error()), string(f.class), s.now(),
		pgtx.OrNull(f.next), string(f.step.from))
	if err != nil {
		return err
	}
	if err := addEvent(ctx, tx, Event{
		WithdrawalID: f.id, Kind: f.step.failed, Attempt: f.attempt, ErrorClass: f.class, Detail: f.err.Error(),
	}); err != nil || !f.next.IsZero() {
		return err
	}
	w, err := read(ctx, tx, selectLocked, f.id)
	if err != nil {
		return err
	}
	return openCase(ctx, tx, &w, casework.New{
		Kind: f.step.caseKind(f.class), Cause: casework.AttemptCause(f.jobID, f.attempt),
		Detail: casework.Detail{Reason: f.step.given, Attempts: w.Attempts, Error: f.err.Error()},
	})
}
