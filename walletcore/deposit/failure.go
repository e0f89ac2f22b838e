package deposit

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

// caseKind is the case that the last failure opens.
func caseKind(c job.ErrorClass) casework.Kind {
	switch c {
	case job.ClassConflict:
		return CaseKeyConflict
	case job.ClassInvalid:
		return CaseCreditInvalid
	}
	return CaseCreditExhausted
}

// failure is one failed attempt to credit.
type failure struct {
	jobID   int64
	attempt int
	class   job.ErrorClass
	err     error
	next    time.Time // zero where there is no next attempt
}

// creditFailed writes the failure down and tells the queue what to do: try
// again on the schedule, or, where the answer is final, give the job up. Where
// it cannot be written down, the sweep sees to it when the job is given up.
func (s *Service) creditFailed(ctx context.Context, j *river.Job[creditArgs], cause error) error {
	f := failure{jobID: j.ID, attempt: j.Attempt, class: job.Classify(cause), err: cause}
	if !f.class.Final() && j.Attempt < j.MaxAttempts {
		f.next = s.opts.Queue.After(j.Attempt)
	}
	id := j.Args.DepositID
	s.opts.Logger.WarnContext(ctx, "credit failed", "deposit_id", id, "correlation_id", j.Args.CorrelationID,
		"attempt", j.Attempt, "class", f.class, "error", cause, "next_attempt_at", f.next)
	ctx, cancel := job.RecordContext(ctx)
	defer cancel()
	err := pgtx.Retry(ctx, func() error { return s.recordFailure(ctx, id, &f) })
	if errors.Is(err, pgtx.ErrSettled) {
		return nil
	}
	cause = errors.Join(fmt.Errorf("credit deposit %s: %w", id, cause), err)
	if f.class.Final() && err == nil {
		return river.JobCancel(cause)
	}
	return cause
}

const failDeposit = `
update casino.deposits
set attempts = attempts + 1, last_error = $2, last_error_class = $3, last_error_at = $4, next_attempt_at = $5
where id = $1 and status = 'confirmed'
returning brand_id, attempts`

// recordFailure writes the failure on the deposit and in its history, and opens
// the case of the last one. pgtx.ErrSettled where the deposit was credited
// meanwhile.
func (s *Service) recordFailure(ctx context.Context, id string, f *failure) error {
	return pgx.BeginFunc(ctx, s.Pool, func(tx pgx.Tx) error {
		var brand string
		var attempts int
		err := tx.QueryRow(ctx, failDeposit, id, pgtx.Clip(f.err.Error()), string(f.class), s.now(), pgtx.OrNull(f.next)).
			Scan(&brand, &attempts)
		if errors.Is(err, pgx.ErrNoRows) {
			return pgtx.ErrSettled
		}
		if err != nil {
			return fmt.Errorf("record failure: %w", err)
		}
		if err := addEvent(ctx, tx, Event{
			DepositID: id, Kind: EventCreditFailed, Attempt: f.attempt, ErrorClass: f.class, Detail: f.err.Error(),
		}); err != nil || !f.next.IsZero() {
			return err
		}
		return openCreditCase(ctx, tx, brand, id, caseKind(f.class), casework.AttemptCause(f.jobID, f.attempt),
			casework.Detail{Reason: "the deposit is confirmed and not credited", Attempts: attempts, Error: f.err.Error()})
	})
}

func openCreditCase(ctx context.Context, tx pgx.Tx, brand, id string, kind casework.Kind, cause string, detail casework.Detail) error {
	opened, err := casework.Open(ctx, tx, casework.New{
		Brand: brand, Subject: subject(id), Kind: kind, Cause: cause, Detail: detail,
	})
	if err != nil || !opened {
		return err
	}
	return addEvent(ctx, tx, Event{DepositID: id, Kind: EventCaseOpened, Detail: string(kind)})
}
