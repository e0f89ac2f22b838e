package withdrawal

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/walletctl/walletctl/walletcore/job"
	"github.com/walletctl/walletctl/walletcore/pgtx"
)

// EventKind is what an event of a withdrawal's history tells.
type EventKind string

// The kinds of events.
const (
	EventRequested       EventKind = "requested"
	EventDebited         EventKind = "debited"
	EventPaid            EventKind = "paid"
	EventRejected        EventKind = "rejected"
	EventReversed        EventKind = "reversed"
	EventDebitFailed     EventKind = "debit_failed"
	EventReversalFailed  EventKind = "reversal_failed"
	EventPayoutRequested EventKind = "payout_requested"
	EventPayoutFailed    EventKind = "payout_failed" // to be asked for
	EventCaseOpened      EventKind = "case_opened"
	EventCaseClosed      EventKind = "case_closed"
	EventJobRestored     EventKind = "job_restored"
)

// Event is one line of a withdrawal's history. Fields that do not belong to its
// kind are empty.
type Event struct {
	ID           int64
	WithdrawalID string
	At           time.Time
	Kind         EventKind
	From         Status
	To           Status
	Attempt      int
	ErrorClass   job.ErrorClass
	Detail       string // an error's text, a reason, the kind of a case
	MessageID    string // the message that caused it
}

const selectEvents = `
select id, withdrawal_id, at, kind::text, coalesce(from_status::text, ''), coalesce(to_status::text, ''),
  coalesce(attempt, 0), coalesce(error_class, ''), coalesce(detail, ''), coalesce(message_id, '')
from casino.withdrawal_events
where withdrawal_id = $1
order by id`

// Events returns the history of a withdrawal, oldest first.
func (s *Store) Events(ctx context.Context, id string) ([]Event, error) {
	rows, err := s.Pool.Query(ctx, selectEvents, id)
	if err != nil {
		return nil, fmt.Errorf("read history of %s: %w", id, err)
	}
	events, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (Event, error) {
		var e Event
		err := row.Scan(&e.ID, &e.WithdrawalID, &e.At, &e.Kind, &e.From, &e.To, &e.Attempt, &e.ErrorClass, &e.Detail, &e.MessageID)
		e.At = e.At.UTC()
		return e, err
	})
	if err != nil {
		return nil, fmt.Errorf("read history of %s: %w", id, err)
	}
	return events, nil
}

const insertEvent = `
insert into casino.withdrawal_events
  (withdrawal_id, kind, from_status, to_status, attempt, error_class, detail, message_id)
values ($1, $2, $3, $4, $5, $6, $7, $8)`

func addEvent(ctx context.Context, tx pgx.Tx, e Event) error {
	_, err := tx.Exec(ctx, insertEvent, e.WithdrawalID, string(e.Kind), pgtx.OrNull(string(e.From)),
		pgtx.OrNull(string(e.To)), pgtx.OrNull(e.Attempt), pgtx.OrNull(string(e.ErrorClass)),
		pgtx.OrNull(pgtx.Clip(e.Detail)), pgtx.OrNull(e.MessageID))
	if err != nil {
		return fmt.Errorf("add to the history of %s: %w", e.WithdrawalID, err)
	}
	return nil
}
