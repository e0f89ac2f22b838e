package deposit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"github.com/walletctl/walletctl/walletcore"
)

// matchWorker applies a message again whose deposit was not there.
type matchWorker struct {
	river.WorkerDefaults[matchArgs]
	service *Service
}

// NextRetry implements river.Worker. The delivery itself was the first try.
func (w *matchWorker) NextRetry(job *river.Job[matchArgs]) time.Time {
	return w.service.now().Add(w.service.policy.wait(job.Attempt + 1))
}

// Work implements river.Worker.
func (w *matchWorker) Work(ctx context.Context, job *river.Job[matchArgs]) error {
	err := w.service.guard(ctx, func() error { return w.service.matchAgain(ctx, job) })
	if err != nil && interrupted(ctx) {
		return giveBack(ctx, err)
	}
	return storable(err)
}

func (s *Service) matchAgain(ctx context.Context, job *river.Job[matchArgs]) error {
	n, err := readMessage(ctx, s.Pool, job.Args.MessageID)
	if err != nil {
		return err
	}
	var o Outcome
	err = retryTx(ctx, func() error {
		return pgx.BeginFunc(ctx, s.Pool, func(tx pgx.Tx) (err error) {
			o, err = s.match(ctx, tx, &n, job.Attempt >= job.MaxAttempts, attemptCause(job.ID, job.Attempt))
			return err
		})
	})
	switch {
	case errors.Is(err, errSettled):
		return nil
	case err != nil:
		return fmt.Errorf("match message %s: %w", n.MessageID, err)
	}
	s.report(ctx, &n, o)
	return nil
}

// match handles an unmatched message once more. Where its deposit is still
// unknown, errUnmatched says so, or, the last time, a case is opened.
func (s *Service) match(ctx context.Context, tx pgx.Tx, n *walletcore.Notification, last bool, cause string) (Outcome, error) {
	o, err := s.handle(ctx, tx, n)
	if err != nil {
		return Outcome{}, err
	}
	if o.Result == Unmatched {
		if !last {
			return Outcome{}, errUnmatched
		}
		if o, err = s.giveUpMatch(ctx, tx, n, cause); err != nil {
			return Outcome{}, err
		}
	}
	return o, settleMessage(ctx, tx, n.MessageID, o)
}

// giveUpMatch opens the case of a message whose deposit never came to be. The
// caller settles the message.
func (s *Service) giveUpMatch(ctx context.Context, tx pgx.Tx, n *walletcore.Notification, cause string) (Outcome, error) {
	o := Outcome{Result: CaseOpened, Case: CaseUnknownDeposit, Reason: "no such deposit", DepositID: n.DepositID}
	subjectType, subjectID := unknownSubject(n)
	_, err := openCase(ctx, tx, newCase{
		brand: n.Brand, subjectType: subjectType, subjectID: subjectID, kind: o.Case, cause: cause,
		detail: caseDetail{
			Reason: o.Reason, Found: string(n.Status) + " " + n.Amount.String() + " " + n.Currency, MessageID: n.MessageID,
			Gateway: n.Gateway, Account: n.Account, PaymentID: n.PaymentID,
		},
	})
	return o, err
}

// unknownSubject is what a case about a message without a deposit is about:
// all messages about the same thing make one case.
func unknownSubject(n *walletcore.Notification) (subjectType, subjectID string) {
	switch {
	case n.DepositID != "":
		return subjectDeposit, n.DepositID
	case n.PaymentID != "":
		return subjectPayment, n.Gateway + "/" + n.Account + "/" + n.PaymentID
	}
	return subjectMessage, n.MessageID
}
