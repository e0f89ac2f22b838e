package replay

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// CaseEvent is one line of a case's history.
type CaseEvent struct {
	At    time.Time `json:"at"`
	Actor string    `json:"actor"` // the login of a person or of a service
	Kind  string    `json:"kind"`  // opened, claimed, released, noted, resolved or closed
	Note  string    `json:"note,omitempty"`
}

const selectCaseEvents = `
select at, actor, kind::text, coalesce(note, '')
from %s.case_events
where case_id = $1
order by id`

// CaseEvents returns the history of a case, oldest first.
func (d *Desk) CaseEvents(ctx context.Context, ref Ref) ([]CaseEvent, error) {
	pool, err := d.of(ref.Schema)
	if err != nil {
		return nil, err
	}
	rows, err := pool.Query(ctx, fmt.Sprintf(selectCaseEvents, ref.Schema), ref.Number)
	if err != nil {
		return nil, fmt.Errorf("read history of %s: %w", ref, err)
	}
	events, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (CaseEvent, error) {
		var e CaseEvent
		err := row.Scan(&e.At, &e.Actor, &e.Kind, &e.Note)
		e.At = e.At.UTC()
		return e, err
	})
	if err != nil {
		return nil, fmt.Errorf("read history of %s: %w", ref, err)
	}
	return events, nil
}
