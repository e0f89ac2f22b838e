package queue

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/broker"
	"github.com/walletctl/walletctl/walletcore/strictjson"
)

// OutcomeOptions of ConsumeOutcomes.
type OutcomeOptions struct {
	// Users of the broker whose word about a payout counts. A message without
	// one of them on it, which the broker has checked, is a dead letter.
	Users        []string
	Applier      Applier
	Probe        func(ctx context.Context) error // says whether the database can be reached again
	DrainTimeout time.Duration                   // how long messages in progress may go on after ctx ends
	Logger       *slog.Logger
	Now          func() time.Time // time.Now by default
}

// ConsumeOutcomes reads what became of payouts off the queue and applies it
// until ctx ends. Failures are treated as by Consume.
func ConsumeOutcomes(ctx context.Context, conn *broker.Conn, o OutcomeOptions) error {
	if o.Now == nil {
		o.Now = time.Now
	}
	return conn.Consume(ctx, broker.ConsumerOptions{
		Queue: OutcomesQueue, DeadLetter: DeadLetterExchange,
		Probe: o.Probe, DrainTimeout: o.DrainTimeout, Logger: o.Logger,
	}, o.handle)
}

func (o *OutcomeOptions) handle(ctx context.Context, d broker.Delivery) error {
	if !slices.Contains(o.Users, d.UserID) {
		return &broker.Unprocessable{Reason: fmt.Sprintf("message was sent by %q, who does not pay", d.UserID)}
	}
	n, err := readOutcome(&d, o.Now())
	if err != nil {
		return &broker.Unprocessable{Reason: "outcome " + err.Error()}
	}
	return apply(ctx, o.Applier, n)
}

// readOutcome reads the body of a message; docs/running.md is its contract.
func readOutcome(d *broker.Delivery, now time.Time) (walletcore.Notification, error) {
	// The sender's ids are its own: another's, and those of webhooks, differ.
	n := walletcore.Notification{
		MessageID: "outcome:" + d.UserID + ":" + d.ID, EventID: d.ID, Dialect: "outcome",
		ReceivedAt: now.UTC().Truncate(time.Microsecond), Body: d.Body,
	}
	if d.ID == "" {
		return n, errors.New("has no message id")
	}
	body, err := strictjson.Parse(d.Body)
	if err != nil {
		return n, err
	}
	for _, read := range []func(strictjson.Object, *walletcore.Notification) error{
		readOutcomeTexts, readOutcomeMoney, readOutcomeTime,
	} {
		if err := read(body, &n); err != nil {
			return n, err
		}
	}
	return n, checkOutcome(&n)
}

func readOutcomeTexts(o strictjson.Object, n *walletcore.Notification) error {
	for name, into := range map[string]*string{
		"withdrawal_id": &n.WithdrawalID, "payout_id": &n.PaymentID, "brand": &n.Brand, "gateway": &n.Gateway,
		"account": &n.Account, "currency": &n.Currency, "reason": &n.EventType, "status": (*string)(&n.Status),
	} {
		value, given, err := o.Text(name)
		if err != nil {
			return err
		}
		if given {
			*into = value
		}
	}
	return nil
}

// readOutcomeMoney takes a decimal string in the main unit.
func readOutcomeMoney(o strictjson.Object, n *walletcore.Notification) error {
	text, given, err := o.Text("amount")
	if err != nil || !given {
		return err
	}
	n.Amount, err = walletcore.ParseMoney(text)
	return err
}

func readOutcomeTime(o strictjson.Object, n *walletcore.Notification) error {
	text, given, err := o.Text("occurred_at")
	if err != nil || !given {
		return err
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil || at.Year() < 1970 || at.Year() > 9999 {
		return &walletcore.FieldError{Field: "occurred_at", Reason: "is not an RFC 3339 time such as 2026-01-02T15:04:05Z"}
	}
	n.OccurredAt = at.UTC().Truncate(time.Microsecond)
	return nil
}

func checkOutcome(n *walletcore.Notification) error {
	switch n.Status {
	case walletcore.PaymentPaid, walletcore.PaymentRejected, walletcore.PaymentPending:
	default:
		return &walletcore.FieldError{Field: "status", Reason: "is not one of pending, paid, rejected"}
	}
	if n.WithdrawalID == "" {
		return &walletcore.FieldError{Field: "withdrawal_id", Reason: "is missing"}
	}
	return nil
}
