package deposit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/walletctl/walletctl/walletcore"
)

// Result is what came of a message.
type Result string

// The results.
const (
	Applied    Result = "applied"     // it moved the deposit
	Skipped    Result = "skipped"     // already applied, or it would downgrade
	Unmatched  Result = "unmatched"   // no such deposit yet; looked for again later
	CaseOpened Result = "case_opened" // it cannot be applied; a person has to look
)

// Outcome is what came of a message, the first time and every time after.
type Outcome struct {
	Result    Result
	Reason    string   // for people; empty where it was applied
	DepositID string   // as the message named it, or as its payment led to it; may be empty
	Case      CaseKind // set with CaseOpened
	Duplicate bool     // this message was handled before; nothing was done now
}

// checkNotification refuses what the inbox cannot keep. The error is a
// *walletcore.FieldError; the message belongs to the dead letters.
func checkNotification(n *walletcore.Notification) error {
	required := []struct {
		field, value string
		limit        int
	}{
		{"message_id", n.MessageID, walletcore.MaxGivenID},
		{"gateway", n.Gateway, walletcore.MaxName},
		{"account", n.Account, walletcore.MaxName},
		{"brand", n.Brand, walletcore.MaxName},
		{"status", string(n.Status), walletcore.MaxName},
	}
	for _, r := range required {
		if err := walletcore.CheckID(r.field, r.value, r.limit); err != nil {
			return err
		}
	}
	return checkOptional(n)
}

func checkOptional(n *walletcore.Notification) error {
	for field, value := range map[string]string{
		"event_id": n.EventID, "event_type": n.EventType, "deposit_id": n.DepositID, "payment_id": n.PaymentID,
		"dialect": n.Dialect, "currency": n.Currency,
	} {
		if value == "" {
			continue
		}
		if err := walletcore.CheckID(field, value, walletcore.MaxGivenID); err != nil {
			return err
		}
	}
	switch {
	case n.Amount.Sign() < 0 || !n.Amount.InRange():
		return &walletcore.FieldError{Field: "amount", Reason: "is out of range"}
	case n.ReceivedAt.IsZero():
		return &walletcore.FieldError{Field: "received_at", Reason: "must be set"}
	case !knownStatus(n.Status):
		return &walletcore.FieldError{Field: "status", Reason: "is not a status of a payment"}
	}
	return nil
}

func knownStatus(s walletcore.PaymentStatus) bool {
	switch s {
	case walletcore.PaymentPending, walletcore.PaymentConfirmed, walletcore.PaymentFailed,
		walletcore.PaymentExpired, walletcore.PaymentChargeback, walletcore.PaymentOther:
		return true
	}
	return false
}

const insertMessage = `
insert into casino.gateway_messages
  (id, gateway, account, brand_id, dialect, event_id, event_type, deposit_id, payment_id, status,
   amount, currency, occurred_at, received_at, result, reason, case_kind, job_id, body)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
on conflict (id) do nothing`

// keepMessage writes the message with what came of it. errSettled means that
// another delivery of it did so first, and that this transaction must end.
func keepMessage(ctx context.Context, tx pgx.Tx, n *walletcore.Notification, o Outcome, jobID int64) error {
	body := n.Body
	if body == nil {
		body = []byte{}
	}
	tag, err := tx.Exec(ctx, insertMessage,
		n.MessageID, n.Gateway, n.Account, n.Brand, n.Dialect, n.EventID, n.EventType, n.DepositID, n.PaymentID,
		string(n.Status), n.Amount, n.Currency, orNull(n.OccurredAt), n.ReceivedAt,
		string(o.Result), clip(o.Reason), orNull(string(o.Case)), orNull(jobID), body)
	if err != nil {
		return fmt.Errorf("keep message: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return errSettled
	}
	return nil
}

const settleMessageSQL = `
update casino.gateway_messages
set result = $2, reason = $3, case_kind = $4, handled_at = clock_timestamp()
where id = $1 and result = 'unmatched'`

// settleMessage writes what came of a message that was unmatched.
func settleMessage(ctx context.Context, tx pgx.Tx, id string, o Outcome) error {
	tag, err := tx.Exec(ctx, settleMessageSQL, id, string(o.Result), clip(o.Reason), orNull(string(o.Case)))
	if err != nil {
		return fmt.Errorf("settle message: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return errSettled
	}
	return nil
}

const selectOutcome = `
select result, reason, deposit_id, coalesce(case_kind::text, '')
from casino.gateway_messages
where id = $1`

// recordedOutcome returns what came of a message that was handled before.
func recordedOutcome(ctx context.Context, db querier, id string) (Outcome, bool, error) {
	o := Outcome{Duplicate: true}
	err := db.QueryRow(ctx, selectOutcome, id).Scan(&o.Result, &o.Reason, &o.DepositID, &o.Case)
	if errors.Is(err, pgx.ErrNoRows) {
		return Outcome{}, false, nil
	}
	if err != nil {
		return Outcome{}, false, fmt.Errorf("read message: %w", err)
	}
	return o, true, nil
}

const selectMessage = `
select id, gateway, account, brand_id, dialect, event_id, event_type, deposit_id, payment_id, status,
  amount, currency, occurred_at, received_at
from casino.gateway_messages
where id = $1`

// readMessage returns a message of the inbox without its body.
func readMessage(ctx context.Context, db querier, id string) (walletcore.Notification, error) {
	var n walletcore.Notification
	var occurred *time.Time
	err := db.QueryRow(ctx, selectMessage, id).Scan(&n.MessageID, &n.Gateway, &n.Account, &n.Brand, &n.Dialect,
		&n.EventID, &n.EventType, &n.DepositID, &n.PaymentID, &n.Status, &n.Amount, &n.Currency,
		&occurred, &n.ReceivedAt)
	if err != nil {
		return n, fmt.Errorf("read message %s: %w", id, err)
	}
	if occurred != nil {
		n.OccurredAt = *occurred
	}
	return n, nil
}
