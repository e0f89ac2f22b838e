package deposit

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"github.com/walletctl/walletctl/walletcore"
)

// ErrorClass sorts the failures of credits for people and for alerts.
type ErrorClass string

// The classes.
const (
	ClassConflict ErrorClass = "conflict" // gaming has the id with other content; final
	ClassInvalid  ErrorClass = "invalid"  // gaming can never take it; final
	ClassRefused  ErrorClass = "refused"  // a rule of the wallet, today
	ClassTimeout  ErrorClass = "timeout"  // no answer in time: the outcome is unknown
	ClassPanic    ErrorClass = "panic"    // a bug
	ClassUnknown  ErrorClass = "unknown"  // anything else; it may have been credited
)

// classify sorts an error of a credit.
func classify(err error) ErrorClass {
	var (
		conflict  *walletcore.ConflictError
		field     *walletcore.FieldError
		amount    *walletcore.AmountError
		refused   *walletcore.RefusedError
		panicked  *PanicError
		permanent interface{ Permanent() bool }
	)
	switch {
	case errors.As(err, &conflict):
		return ClassConflict
	case errors.As(err, &field), errors.As(err, &amount), errors.As(err, &permanent) && permanent.Permanent():
		return ClassInvalid
	case errors.As(err, &refused):
		return ClassRefused
	case errors.As(err, &panicked):
		return ClassPanic
	case errors.Is(err, context.DeadlineExceeded):
		return ClassTimeout
	}
	return ClassUnknown
}

// final reports whether the answer can never change.
func (c ErrorClass) final() bool { return c == ClassConflict || c == ClassInvalid }

// caseKind is the case that the last failure opens.
func (c ErrorClass) caseKind() CaseKind {
	switch c {
	case ClassConflict:
		return CaseKeyConflict
	case ClassInvalid:
		return CaseCreditInvalid
	}
	return CaseCreditExhausted
}

// failure is one failed attempt to credit.
type failure struct {
	jobID   int64
	attempt int
	class   ErrorClass
	err     error
	next    time.Time // zero where there is no next attempt
}

// creditFailed writes the failure down and tells the queue what to do: try
// again on the schedule, or, where the answer is final, give the job up. Where
// it cannot be written down, the sweep sees to it when the job is given up.
func (s *Service) creditFailed(ctx context.Context, job *river.Job[creditArgs], cause error) error {
	f := failure{jobID: job.ID, attempt: job.Attempt, class: classify(cause), err: cause}
	if !f.class.final() && job.Attempt < job.MaxAttempts {
		f.next = s.now().Add(s.policy.wait(job.Attempt))
	}
	id := job.Args.DepositID
	s.opts.Logger.WarnContext(ctx, "credit failed", "deposit_id", id, "correlation_id", job.Args.CorrelationID,
		"attempt", job.Attempt, "class", f.class, "error", cause, "next_attempt_at", f.next)
	ctx, cancel := recordContext(ctx)
	defer cancel()
	err := retryTx(ctx, func() error { return s.recordFailure(ctx, id, &f) })
	if errors.Is(err, errSettled) {
		return nil
	}
	cause = errors.Join(fmt.Errorf("credit deposit %s: %w", id, cause), err)
	if f.class.final() && err == nil {
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
// the case of the last one. errSettled where the deposit was credited
// meanwhile.
func (s *Service) recordFailure(ctx context.Context, id string, f *failure) error {
	return pgx.BeginFunc(ctx, s.Pool, func(tx pgx.Tx) error {
		var brand string
		var attempts int
		err := tx.QueryRow(ctx, failDeposit, id, clip(f.err.Error()), string(f.class), s.now(), orNull(f.next)).
			Scan(&brand, &attempts)
		if errors.Is(err, pgx.ErrNoRows) {
			return errSettled
		}
		if err != nil {
			return fmt.Errorf("record failure: %w", err)
		}
		if err := addEvent(ctx, tx, Event{
			DepositID: id, Kind: EventCreditFailed, Attempt: f.attempt, ErrorClass: f.class, Detail: f.err.Error(),
		}); err != nil || !f.next.IsZero() {
			return err
		}
		return openCreditCase(ctx, tx, brand, id, f.class.caseKind(), attemptCause(f.jobID, f.attempt),
			caseDetail{Reason: "the deposit is confirmed and not credited", Attempts: attempts, Error: clip(f.err.Error())})
	})
}

func openCreditCase(ctx context.Context, tx pgx.Tx, brand, id string, kind CaseKind, cause string, detail caseDetail) error {
	opened, err := openCase(ctx, tx, newCase{
		brand: brand, subjectType: subjectDeposit, subjectID: id, kind: kind, cause: cause, detail: detail,
	})
	if err != nil || !opened {
		return err
	}
	return addEvent(ctx, tx, Event{DepositID: id, Kind: EventCaseOpened, Detail: string(kind)})
}

// guard turns a panic into an error, so that it is written down like any other
// failure; where it happened goes to the log.
func (s *Service) guard(ctx context.Context, work func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &PanicError{Value: value}
			s.opts.Logger.ErrorContext(ctx, "job panicked", "error", err, "stack", string(debug.Stack()))
		}
	}()
	return work()
}

// interrupted reports whether the job was cut off because the service stops.
// That is nobody's failure: the queue gives the attempt back.
func interrupted(ctx context.Context) bool { return errors.Is(ctx.Err(), context.Canceled) }

// giveBack marks the error of an interrupted job as an interruption, whatever
// the work made of it, since that is what the queue asks for.
func giveBack(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	return errors.Join(ctx.Err(), err)
}
