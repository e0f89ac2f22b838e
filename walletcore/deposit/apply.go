package deposit

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/jackc/pgx/v5"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/casework"
	"github.com/walletctl/walletctl/walletcore/inbox"
)

// Apply handles one message of a gateway, in one transaction: what it does to
// its deposit and its row in the inbox commit together. The same message id
// again changes nothing and gets the recorded outcome. Errors are those of
// [inbox.Apply].
func (s *Service) Apply(ctx context.Context, n walletcore.Notification) (inbox.Outcome, error) {
	o, err := inbox.Apply(ctx, s.Pool, &n, s.receive)
	if err != nil {
		return inbox.Outcome{}, err
	}
	s.report(ctx, &n, o)
	return o, nil
}

// receive handles a message at its delivery: one without its deposit is looked
// at again by a job.
func (s *Service) receive(ctx context.Context, tx pgx.Tx, n *walletcore.Notification) (inbox.Outcome, int64, error) {
	o, err := s.handle(ctx, tx, n)
	if err != nil || o.Result != inbox.Unmatched {
		return o, 0, err
	}
	jobID, err := s.queueMatch(ctx, tx, n)
	return o, jobID, err
}

// handle does what the message asks for and returns the outcome, which the
// caller writes in the same transaction.
func (s *Service) handle(ctx context.Context, tx pgx.Tx, n *walletcore.Notification) (inbox.Outcome, error) {
	d, err := lockTarget(ctx, tx, n)
	if errors.Is(err, ErrNotFound) {
		return unmatched(n), nil
	}
	if err != nil {
		return inbox.Outcome{}, err
	}
	payment, err := paidBy(ctx, tx, d.ID)
	if err != nil {
		return inbox.Outcome{}, err
	}
	v := decide(&d, payment, n)
	if v, err = s.perform(ctx, tx, &d, n, v); err != nil {
		return inbox.Outcome{}, err
	}
	return inbox.Outcome{Result: v.result, Reason: v.reason, SubjectID: d.ID, Case: v.kind}, nil
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
func unmatched(n *walletcore.Notification) inbox.Outcome {
	money := n.Status == walletcore.PaymentConfirmed || n.Status == walletcore.PaymentChargeback
	switch {
	case n.Status == walletcore.PaymentOther:
		return inbox.Outcome{Result: inbox.Skipped, Reason: "says nothing about a deposit's state"}
	case n.DepositID == "" && !money:
		return inbox.Outcome{Result: inbox.Skipped, Reason: "names no deposit"}
	}
	return inbox.Outcome{Result: inbox.Unmatched, Reason: "no such deposit yet", SubjectID: n.DepositID}
}

// perform carries the verdict out and returns it, changed where a unique key
// had the last word.
func (s *Service) perform(ctx context.Context, tx pgx.Tx, d *Deposit, n *walletcore.Notification, v verdict) (verdict, error) {
	switch {
	case v.result == inbox.CaseOpened:
		return v, s.openMessageCase(ctx, tx, d, n, v, "")
	case v.result == inbox.Applied && v.to == Confirmed:
		return s.confirm(ctx, tx, d, n, v)
	case v.result == inbox.Applied:
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
	_, err := casework.Open(ctx, tx, casework.New{
		Brand: d.Brand, Subject: subject(d.ID), Kind: v.kind, Cause: casework.MessageCause(n.MessageID),
		Detail: casework.Detail{
			Reason: v.reason, Expected: v.expected, Found: v.found, MessageID: n.MessageID,
			Gateway: n.Gateway, Account: n.Account, PaymentID: n.PaymentID, OtherDeposit: other,
		},
	})
	return err
}

// report tells the log what a message came to; another brand's deposit is an
// alarm, since somebody may hold a secret that is not theirs.
func (s *Service) report(ctx context.Context, n *walletcore.Notification, o inbox.Outcome) {
	attrs := []any{
		"message_id", n.MessageID, "gateway", n.Gateway, "account", n.Account, "brand", n.Brand,
		"deposit_id", o.SubjectID, "status", n.Status, "result", o.Result, "reason", o.Reason, "duplicate", o.Duplicate,
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
