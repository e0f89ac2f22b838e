package deposit

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/jackc/pgx/v5"

	"github.com/walletctl/walletctl/walletcore"
)

// Apply handles one message of a gateway, in one transaction: what it does to
// its deposit and its row in the inbox commit together. The same message id
// again changes nothing and gets the recorded outcome.
//
// The error is a *walletcore.FieldError for a message that no inbox can keep;
// with any other error nothing was changed, or whether it was is unknown, and
// the same message can be applied again.
func (s *Service) Apply(ctx context.Context, n walletcore.Notification) (Outcome, error) {
	if err := checkNotification(&n); err != nil {
		return Outcome{}, err
	}
	var o Outcome
	err := retryTx(ctx, func() (err error) {
		o, err = s.applyOnce(ctx, &n)
		return err
	})
	if err != nil {
		return Outcome{}, fmt.Errorf("apply message %s: %w", n.MessageID, err)
	}
	s.report(ctx, &n, o)
	return o, nil
}

func (s *Service) applyOnce(ctx context.Context, n *walletcore.Notification) (Outcome, error) {
	if o, found, err := recordedOutcome(ctx, s.Pool, n.MessageID); found || err != nil {
		return o, err
	}
	var o Outcome
	err := pgx.BeginFunc(ctx, s.Pool, func(tx pgx.Tx) (err error) {
		var jobID int64
		if o, err = s.handle(ctx, tx, n); err != nil {
			return err
		}
		if o.Result == Unmatched {
			if jobID, err = s.queueMatch(ctx, tx, n); err != nil {
				return err
			}
		}
		return keepMessage(ctx, tx, n, o, jobID)
	})
	if errors.Is(err, errSettled) {
		o, _, err = recordedOutcome(ctx, s.Pool, n.MessageID)
	}
	return o, err
}

// handle does what the message asks for and returns the outcome, which the
// caller writes in the same transaction.
func (s *Service) handle(ctx context.Context, tx pgx.Tx, n *walletcore.Notification) (Outcome, error) {
	d, err := lockTarget(ctx, tx, n)
	if errors.Is(err, ErrNotFound) {
		return unmatched(n), nil
	}
	if err != nil {
		return Outcome{}, err
	}
	payment, err := paidBy(ctx, tx, d.ID)
	if err != nil {
		return Outcome{}, err
	}
	v := decide(&d, payment, n)
	if v, err = s.perform(ctx, tx, &d, n, v); err != nil {
		return Outcome{}, err
	}
	return Outcome{Result: v.result, Reason: v.reason, DepositID: d.ID, Case: v.kind}, nil
}

// lockTarget locks the deposit that the message is about. A message without
// its id, as a chargeback often is, is about the deposit that its payment paid.
func lockTarget(ctx context.Context, tx pgx.Tx, n *walletcore.Notification) (Deposit, error) {
	id := n.DepositID
	if id == "" && n.PaymentID != "" {
		var err error
		if id, err = paidDeposit(ctx, tx, n); err != nil {
			return Deposit{}, err
		}
	}
	if id == "" {
		return Deposit{}, ErrNotFound
	}
	return readDeposit(ctx, tx, selectDepositLocked, id)
}

// unmatched is the outcome for a message about no deposit that we know. It is
// looked for again, unless it names none and moves no money.
func unmatched(n *walletcore.Notification) Outcome {
	money := n.Status == walletcore.PaymentConfirmed || n.Status == walletcore.PaymentChargeback
	switch {
	case n.Status == walletcore.PaymentOther:
		return Outcome{Result: Skipped, Reason: "says nothing about a deposit's state"}
	case n.DepositID == "" && !money:
		return Outcome{Result: Skipped, Reason: "names no deposit"}
	}
	return Outcome{Result: Unmatched, Reason: "no such deposit yet", DepositID: n.DepositID}
}

// perform carries the verdict out and returns it, changed where a unique key
// had the last word.
func (s *Service) perform(ctx context.Context, tx pgx.Tx, d *Deposit, n *walletcore.Notification, v verdict) (verdict, error) {
	switch {
	case v.result == CaseOpened:
		return v, s.openMessageCase(ctx, tx, d, n, v, "")
	case v.result == Applied && v.to == Confirmed:
		return s.confirm(ctx, tx, d, n, v)
	case v.result == Applied:
		return v, s.move(ctx, tx, d, n, v.to)
	}
	return v, nil
}

// openMessageCase opens the case of a message about a known deposit.
func (s *Service) openMessageCase(ctx context.Context, tx pgx.Tx, d *Deposit, n *walletcore.Notification, v verdict, other string) error {
	if v.kind == CaseChargeback && n.Status == walletcore.PaymentChargeback {
		if _, err := tx.Exec(ctx, markChargedBack, d.ID, s.now()); err != nil {
			return fmt.Errorf("mark deposit: %w", err)
		}
	}
	if err := addEvent(ctx, tx, Event{
		DepositID: d.ID, Kind: EventCaseOpened, Detail: string(v.kind), MessageID: n.MessageID,
	}); err != nil {
		return err
	}
	_, err := openCase(ctx, tx, newCase{
		brand: d.Brand, subjectType: subjectDeposit, subjectID: d.ID, kind: v.kind, cause: messageCause(n.MessageID),
		detail: caseDetail{
			Reason: v.reason, Expected: v.expected, Found: v.found, MessageID: n.MessageID,
			Gateway: n.Gateway, Account: n.Account, PaymentID: n.PaymentID, OtherDeposit: other,
		},
	})
	return err
}

// report tells the log what a message came to; another brand's deposit is an
// alarm, since somebody may hold a secret that is not theirs.
func (s *Service) report(ctx context.Context, n *walletcore.Notification, o Outcome) {
	attrs := []any{
		"message_id", n.MessageID, "gateway", n.Gateway, "account", n.Account, "brand", n.Brand,
		"deposit_id", o.DepositID, "status", n.Status, "result", o.Result, "reason", o.Reason, "duplicate", o.Duplicate,
	}
	level := slog.LevelInfo
	switch {
	case o.Case == CaseBrandMismatch && !o.Duplicate:
		level = slog.LevelError
		attrs = append(attrs, "case", o.Case, "alarm", true)
	case o.Case != "":
		level = slog.LevelWarn
		attrs = append(attrs, "case", o.Case)
	}
	s.opts.Logger.Log(ctx, level, "gateway message handled", attrs...)
}
