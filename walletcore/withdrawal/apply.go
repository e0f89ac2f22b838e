package withdrawal

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/jackc/pgx/v5"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/casework"
	"github.com/walletctl/walletctl/walletcore/inbox"
	"github.com/walletctl/walletctl/walletcore/pgtx"
)

// Apply handles one message about a payout, in one transaction: what it does to
// its withdrawal and its row in the inbox commit together. The same message id
// again changes nothing and gets the recorded outcome. Errors are those of
// [inbox.Apply].
func (s *Service) Apply(ctx context.Context, n walletcore.Notification) (inbox.Outcome, error) {
	o, err := inbox.Apply(ctx, s.Pool, &n, s.handle)
	if err != nil {
		return inbox.Outcome{}, err
	}
	s.report(ctx, &n, o)
	return o, nil
}

func (s *Service) handle(ctx context.Context, tx pgx.Tx, n *walletcore.Notification) (inbox.Outcome, int64, error) {
	w, err := lockTarget(ctx, tx, n)
	if errors.Is(err, ErrNotFound) {
		o, err := s.unknown(ctx, tx, n)
		return o, 0, err
	}
	if err != nil {
		return inbox.Outcome{}, 0, err
	}
	paidBy, err := paidBy(ctx, tx, w.ID)
	if err != nil {
		return inbox.Outcome{}, 0, err
	}
	v, err := s.perform(ctx, tx, &w, n, decide(&w, paidBy, n))
	return inbox.Outcome{Result: v.result, Reason: v.reason, SubjectID: w.ID, Case: v.kind}, 0, err
}

// lockTarget locks the withdrawal that the message is about. A message without
// its id is about the one that its payout paid.
func lockTarget(ctx context.Context, tx pgx.Tx, n *walletcore.Notification) (Withdrawal, error) {
	id := n.WithdrawalID
	if id == "" && n.PaymentID != "" {
		var err error
		if id, err = paidWithdrawal(ctx, tx, n); err != nil {
			return Withdrawal{}, err
		}
	}
	if id == "" {
		return Withdrawal{}, ErrNotFound
	}
	return read(ctx, tx, selectLocked, id)
}

// unknown is for a message about no withdrawal that there is. It is not early:
// a payout is asked for only after its withdrawal was written.
func (s *Service) unknown(ctx context.Context, tx pgx.Tx, n *walletcore.Notification) (inbox.Outcome, error) {
	if n.Status != walletcore.PaymentPaid && n.Status != walletcore.PaymentRejected {
		return inbox.Outcome{Result: inbox.Skipped, Reason: "says nothing final about a payout", SubjectID: n.WithdrawalID}, nil
	}
	o := inbox.Outcome{
		Result: inbox.CaseOpened, Reason: "no such withdrawal", SubjectID: n.WithdrawalID, Case: CaseUnknownWithdrawal,
	}
	_, err := casework.Open(ctx, tx, casework.New{
		Brand: n.Brand, Subject: unknownSubject(n), Kind: o.Case, Cause: casework.MessageCause(n.MessageID),
		Detail: detail(n, raise(o.Case, o.Reason, "", string(n.Status)+" "+n.Amount.String()+" "+n.Currency)),
	})
	return o, err
}

// unknownSubject is what a case about a message without a withdrawal is about:
// all messages about the same thing make one case.
func unknownSubject(n *walletcore.Notification) casework.Subject {
	switch {
	case n.WithdrawalID != "":
		return subject(n.WithdrawalID)
	case n.PaymentID != "":
		return casework.Subject{Type: casework.SubjectPayment, ID: n.Gateway + "/" + n.Account + "/" + n.PaymentID}
	}
	return casework.Subject{Type: casework.SubjectMessage, ID: n.MessageID}
}

func detail(n *walletcore.Notification, v verdict) casework.Detail {
	return casework.Detail{
		Reason: v.reason, Expected: v.expected, Found: v.found, MessageID: n.MessageID,
		Gateway: n.Gateway, Account: n.Account, PaymentID: n.PaymentID,
	}
}

// perform carries the verdict out and returns it, changed where a unique key
// had the last word.
func (s *Service) perform(ctx context.Context, tx pgx.Tx, w *Withdrawal, n *walletcore.Notification, v verdict) (verdict, error) {
	switch {
	case v.result == inbox.CaseOpened:
		return v, openCase(ctx, tx, w, casework.New{
			Kind: v.kind, Cause: casework.MessageCause(n.MessageID), Detail: detail(n, v),
		})
	case v.result == inbox.Applied && v.to == Paid:
		return s.pay(ctx, tx, w, n, v)
	case v.result == inbox.Applied:
		return v, s.reject(ctx, tx, w, Event{MessageID: n.MessageID, Detail: rejection(n)})
	}
	return v, nil
}

// rejection is the gateway's own word for why a payout was rejected.
func rejection(n *walletcore.Notification) string {
	if n.EventType != "" {
		return pgtx.Clip(n.EventType)
	}
	return "rejected by the gateway"
}

const payWithdrawal = `
update casino.withdrawals
set status = 'paid', paid_at = $2
where id = $1 and status = 'debited'`

// pay moves the locked withdrawal to paid, with the payout that paid it.
func (s *Service) pay(ctx context.Context, tx pgx.Tx, w *Withdrawal, n *walletcore.Notification, v verdict) (verdict, error) {
	claimed, err := claimPayout(ctx, tx, w, n)
	if err != nil {
		return v, err
	}
	if !claimed {
		other, err := paidWithdrawal(ctx, tx, n)
		if err != nil {
			return v, err
		}
		return s.perform(ctx, tx, w, n, raise(CasePayoutReused, "its payout paid another withdrawal before", other, n.PaymentID))
	}
	if err := pgtx.ExactlyOne(ctx, tx, payWithdrawal, w.ID, s.now()); err != nil {
		return v, fmt.Errorf("pay withdrawal: %w", err)
	}
	if err := addEvent(ctx, tx, Event{
		WithdrawalID: w.ID, Kind: EventPaid, From: w.Status, To: Paid, MessageID: n.MessageID, Detail: n.PaymentID,
	}); err != nil {
		return v, err
	}
	return v, closeCases(ctx, tx, w.ID, Paid, CasePayoutExhausted)
}

// report tells the log what a message came to. Another brand's withdrawal, and
// money that went out twice, are alarms.
func (s *Service) report(ctx context.Context, n *walletcore.Notification, o inbox.Outcome) {
	attrs := []any{
		"message_id", n.MessageID, "gateway", n.Gateway, "account", n.Account, "brand", n.Brand,
		"withdrawal_id", o.SubjectID, "status", n.Status, "result", o.Result, "reason", o.Reason, "duplicate", o.Duplicate,
	}
	level := slog.LevelInfo
	switch o.Case {
	case "":
	case CaseBrandMismatch, CaseSecondPayout, CasePaidAfterRejection:
		level = slog.LevelError
		attrs = append(attrs, "case", o.Case, "alarm", !o.Duplicate)
	default:
		level = slog.LevelWarn
		attrs = append(attrs, "case", o.Case)
	}
	s.opts.Logger.Log(ctx, level, "payout message handled", attrs...)
}
