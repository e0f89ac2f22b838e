package deposit

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/casework"
	"github.com/walletctl/walletctl/walletcore/inbox"
	"github.com/walletctl/walletctl/walletcore/pgtx"
)

// matchAgain applies a message again whose deposit was not there.
func (s *Service) matchAgain(ctx context.Context, j *river.Job[matchArgs]) error {
	n, err := inbox.Read(ctx, s.Pool, j.Args.MessageID)
	if err != nil {
		return err
	}
	var o inbox.Outcome
	err = pgtx.Retry(ctx, func() error {
		return pgx.BeginFunc(ctx, s.Pool, func(tx pgx.Tx) (err error) {
			o, err = s.match(ctx, tx, &n, j.Attempt >= j.MaxAttempts, casework.AttemptCause(j.ID, j.Attempt))
			return err
		})
	})
	switch {
	case errors.Is(err, pgtx.ErrSettled):
		return nil
	case err != nil:
		return fmt.Errorf("match message %s: %w", n.MessageID, err)
	}
	s.report(ctx, &n, o)
	return nil
}

// match handles an unmatched message once more. Where its deposit is still
// unknown, errUnmatched says so, or, the last time, a case is opened.
func (s *Service) match(ctx context.Context, tx pgx.Tx, n *walletcore.Notification, last bool, cause string) (inbox.Outcome, error) {
	o, err := s.handle(ctx, tx, n)
	if err != nil {
		return inbox.Outcome{}, err
	}
	if o.Result == inbox.Unmatched {
		if !last {
			return inbox.Outcome{}, errUnmatched
		}
		if o, err = s.giveUpMatch(ctx, tx, n, cause); err != nil {
			return inbox.Outcome{}, err
		}
	}
	return o, inbox.Settle(ctx, tx, n.MessageID, o)
}

// giveUpMatch opens the case of a message whose deposit never came to be. The
// caller settles the message.
func (s *Service) giveUpMatch(ctx context.Context, tx pgx.Tx, n *walletcore.Notification, cause string) (inbox.Outcome, error) {
	o := inbox.Outcome{Result: inbox.CaseOpened, Case: CaseUnknownDeposit, Reason: "no such deposit", SubjectID: n.DepositID}
	_, err := casework.Open(ctx, tx, casework.New{
		Brand: n.Brand, Subject: unknownSubject(n), Kind: o.Case, Cause: cause,
		Detail: casework.Detail{
			Reason: o.Reason, Found: string(n.Status) + " " + n.Amount.String() + " " + n.Currency, MessageID: n.MessageID,
			Gateway: n.Gateway, Account: n.Account, PaymentID: n.PaymentID,
		},
	})
	return o, err
}

// unknownSubject is what a case about a message without a deposit is about:
// all messages about the same thing make one case.
func unknownSubject(n *walletcore.Notification) casework.Subject {
	switch {
	case n.DepositID != "":
		return subject(n.DepositID)
	case n.PaymentID != "":
		return casework.Subject{Type: casework.SubjectPayment, ID: n.Gateway + "/" + n.Account + "/" + n.PaymentID}
	}
	return casework.Subject{Type: casework.SubjectMessage, ID: n.MessageID}
}
