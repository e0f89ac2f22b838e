package inbox

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/pgtx"
)

const insertMessage = `
insert into casino.gateway_messages
  (id, gateway, account, brand_id, dialect, event_id, event_type, deposit_id, withdrawal_id, payment_id, status,
   amount, currency, occurred_at, received_at, result, reason, case_kind, job_id, body)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)
on conflict (id) do nothing`

// Keep writes the message with what came of it, and the job that looks at it
// again where there is one. pgtx.ErrSettled means that another delivery of it
// did so first, and that this transaction must end.
func Keep(ctx context.Context, tx pgx.Tx, n *walletcore.Notification, o Outcome, jobID int64) error {
	body := n.Body
	if body == nil {
		body = []byte{}
	}
	tag, err := tx.Exec(ctx, insertMessage,
		n.MessageID, n.Gateway, n.Account, n.Brand, n.Dialect, n.EventID, n.EventType, n.DepositID, n.WithdrawalID,
		n.PaymentID, string(n.Status), n.Amount, n.Currency, pgtx.OrNull(n.OccurredAt), n.ReceivedAt,
		string(o.Result), pgtx.Clip(o.Reason), pgtx.OrNull(string(o.Case)), pgtx.OrNull(jobID), body)
	if err != nil {
		return fmt.Errorf("keep message: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return pgtx.ErrSettled
	}
	return nil
}

const settleMessage = `
update casino.gateway_messages
set result = $2, reason = $3, case_kind = $4, handled_at = clock_timestamp()
where id = $1 and result = 'unmatched'`

// Settle writes what came of a message that was unmatched.
func Settle(ctx context.Context, tx pgx.Tx, id string, o Outcome) error {
	tag, err := tx.Exec(ctx, settleMessage, id, string(o.Result), pgtx.Clip(o.Reason), pgtx.OrNull(string(o.Case)))
	if err != nil {
		return fmt.Errorf("settle message: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return pgtx.ErrSettled
	}
	return nil
}

const selectOutcome = `
select result, reason, concat(deposit_id, withdrawal_id), coalesce(case_kind::text, '')
from casino.gateway_messages
where id = $1`

// Recorded returns what came of a message that was handled before, and whether
// it was.
func Recorded(ctx context.Context, db pgtx.Querier, id string) (Outcome, bool, error) {
	o := Outcome{Duplicate: true}
	err := db.QueryRow(ctx, selectOutcome, id).Scan(&o.Result, &o.Reason, &o.SubjectID, &o.Case)
	if errors.Is(err, pgx.ErrNoRows) {
		return Outcome{}, false, nil
	}
	if err != nil {
		return Outcome{}, false, fmt.Errorf("read message: %w", err)
	}
	return o, true, nil
}

const selectMessage = `
select id, gateway, account, brand_id, dialect, event_id, event_type, deposit_id, withdrawal_id, payment_id, status,
  amount, currency, occurred_at, received_at
from casino.gateway_messages
where id = $1`

// Read returns a message without its body.
func Read(ctx context.Context, db pgtx.Querier, id string) (walletcore.Notification, error) {
	var n walletcore.Notification
	var occurred *time.Time
	err := db.QueryRow(ctx, selectMessage, id).Scan(&n.MessageID, &n.Gateway, &n.Account, &n.Brand, &n.Dialect,
		&n.EventID, &n.EventType, &n.DepositID, &n.WithdrawalID, &n.PaymentID, &n.Status, &n.Amount, &n.Currency,
		&occurred, &n.ReceivedAt)
	if err != nil {
		return n, fmt.Errorf("read message %s: %w", id, err)
	}
	if occurred != nil {
		n.OccurredAt = *occurred
	}
	return n, nil
}
