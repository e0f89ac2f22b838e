package deposit

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/walletctl/walletctl/walletcore/job"
	"github.com/walletctl/walletctl/walletcore/pgtx"
)

// EventKind is what an event of a deposit's history tells.
type EventKind string

// The kinds of events.
const (
	EventCreated         EventKind = "created"
	EventConfirmed       EventKind = "confirmed"
	EventFailed          EventKind = "failed"
	EventExpired         EventKind = "expired"
	EventCredited        EventKind = "credited"
	EventCreditFailed    EventKind = "credit_failed"
	EventCaseOpened      EventKind = "case_opened"
	EventCaseClosed      EventKind = "case_closed"
	EventJobRestored     EventKind = "job_restored"
	EventEffectPublished EventKind = "effect_published"
	EventEffectFailed    EventKind = "effect_failed"
)

// Event is one line of a deposit's history. Fields that do not belong to its
// kind are empty.
type Event struct {
	ID         int64
	DepositID  string
	At         time.Time
	Kind       EventKind
	From       Status
	To         Status
	Attempt    int
	ErrorClass job.ErrorClass
	Detail     string // an error's text, the kind of a case, the name of an effect
	MessageID  string // the message that caused it
}

const selectEvents = `
select id, deposit_id, at, kind::text, coalesce(from_status::text, ''), coalesce(to_status::text, ''),
  coalesce(attempt, 0), coalesce(error_class, ''), coalesce(detail, ''), coalesce(message_id, '')
from casino.deposit_events
where deposit_id = $1
order by id`

// Events returns the history of a deposit, oldest first.
func (s *Store) Events(ctx context.Context, id string) ([]Event, error) {
	rows, err := s.Pool.Query(ctx, selectEvents, id)
	if err != nil {
		return nil, fmt.Errorf("read history of %s: %w", id, err)
	}
	events, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (Event, error) {
		var e Event
		err := row.Scan(&e.ID, &e.DepositID, &e.At, &e.Kind, &e.From, &e.To, &e.Attempt, &e.ErrorClass, &e.Detail, &e.MessageID)
		e.At = e.At.UTC()
		return e, err
	})
	if err != nil {
		return nil, fmt.Errorf("read history of %s: %w", id, err)
	}
	return events, nil
}

const insertEvent = `
insert into casino.deposit_events (deposit_id, kind, from_status, to_status, attempt, error_class, detail, message_id)
values ($1, $2, $3, $4, $5, $6, $7, $8)`

func addEvent(ctx context.Context, db pgtx.Querier, e Event) error {
	_, err := db.Exec(ctx, insertEvent, e.DepositID, string(e.Kind), pgtx.OrNull(string(e.From)), pgtx.OrNull(string(e.To)),
		pgtx.OrNull(e.Attempt), pgtx.OrNull(string(e.ErrorClass)), pgtx.OrNull(pgtx.Clip(e.Detail)), pgtx.OrNull(e.MessageID))
	if err != nil {
		return fmt.Errorf("add to the history of %s: %w", e.DepositID, err)
	}
	return nil
}
