package replay

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/pgtx"
)

// Case is work for a person. Times are UTC.
type Case struct {
	Ref        Ref             `json:"ref"`
	Brand      string          `json:"brand"`
	Subject    Subject         `json:"subject"`
	Kind       string          `json:"kind"`
	Cause      string          `json:"cause"` // the message or the attempt that opened it
	Detail     json.RawMessage `json:"detail"`
	OpenedAt   time.Time       `json:"opened_at"`
	Owner      string          `json:"owner"` // a login; empty where nobody sees to it
	ClaimedAt  *time.Time      `json:"claimed_at"`
	ClosedAt   *time.Time      `json:"closed_at"`
	Resolution string          `json:"resolution"`
	ResolvedBy string          `json:"resolved_by"` // a login; empty where the subject's progress closed it
}

// CaseEvent is one line of a case's history.
type CaseEvent struct {
	At    time.Time `json:"at"`
	Actor string    `json:"actor"` // the login of a person or of a service
	Kind  string    `json:"kind"`  // opened, claimed, released, noted, resolved or closed
	Note  string    `json:"note,omitempty"`
}

// MaxCases is the most cases that one list returns.
const MaxCases = 10_000

// CaseFilter selects cases. Zero fields select all that are open.
type CaseFilter struct {
	Brand   string
	Kind    string
	Owner   string    // a login; "-" selects those of nobody
	Subject string    // an id
	Since   time.Time // opened at or after
	Until   time.Time // opened before
	Closed  bool      // those that are closed, instead of those that are open
	Limit   int       // 200 by default, MaxCases at the most
}

// Validate refuses a filter that cannot be meant. The error is a
// *walletcore.FieldError.
func (f *CaseFilter) Validate() error {
	if f.Limit < 0 || f.Limit > MaxCases {
		return &walletcore.FieldError{Field: "limit", Reason: fmt.Sprintf("must be between 1 and %d", MaxCases)}
	}
	return nil
}

const selectCase = `
select id, brand_id, subject_type, subject_id, kind::text, cause, detail, opened_at,
  coalesce(owner, ''), claimed_at, closed_at, coalesce(resolution, ''), coalesce(resolved_by, '')
from %s.cases`

// The oldest that is open comes first: it has waited longest. Of those that are
// closed, the newest.
const selectCases = selectCase + `
where (closed_at is not null) = $1
  and ($2::text is null or brand_id = $2)
  and ($3::text is null or kind::text = $3)
  and ($4::text is null or coalesce(owner, '-') = $4)
  and ($5::text is null or subject_id = $5)
  and ($6::timestamptz is null or opened_at >= $6)
  and ($7::timestamptz is null or opened_at < $7)
order by %s
limit $8`

// Cases lists the cases of both schemas as one.
func (d *Desk) Cases(ctx context.Context, f CaseFilter) ([]Case, error) {
	if err := f.Validate(); err != nil {
		return nil, err
	}
	if f.Limit == 0 {
		f.Limit = 200
	}
	var all []Case
	for _, schema := range []string{"casino", "gaming"} {
		if d.pool(schema) == nil {
			continue
		}
		some, err := d.casesOf(ctx, schema, f)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	slices.SortStableFunc(all, func(a, b Case) int {
		if f.Closed {
			return b.ClosedAt.Compare(*a.ClosedAt)
		}
		return cmp.Or(a.OpenedAt.Compare(b.OpenedAt), strings.Compare(a.Ref.String(), b.Ref.String()))
	})
	return all[:min(len(all), f.Limit)], nil
}

func (d *Desk) casesOf(ctx context.Context, schema string, f CaseFilter) ([]Case, error) {
	order := "opened_at, id"
	if f.Closed {
		order = "closed_at desc, id desc"
	}
	rows, err := d.pool(schema).Query(ctx, fmt.Sprintf(selectCases, schema, order), f.Closed, pgtx.OrNull(f.Brand),
		pgtx.OrNull(f.Kind), pgtx.OrNull(f.Owner), pgtx.OrNull(f.Subject), pgtx.OrNull(f.Since), pgtx.OrNull(f.Until), f.Limit)
	if err != nil {
		return nil, fmt.Errorf("list cases of %s: %w", schema, err)
	}
	cases, err := pgx.CollectRows(rows, scanCase(schema))
	if err != nil {
		return nil, fmt.Errorf("list cases of %s: %w", schema, err)
	}
	return cases, nil
}

func scanCase(schema string) pgx.RowToFunc[Case] {
	return func(row pgx.CollectableRow) (Case, error) {
		c := Case{Ref: Ref{Schema: schema}}
		err := row.Scan(&c.Ref.Number, &c.Brand, &c.Subject.Type, &c.Subject.ID, &c.Kind, &c.Cause, &c.Detail,
			&c.OpenedAt, &c.Owner, &c.ClaimedAt, &c.ClosedAt, &c.Resolution, &c.ResolvedBy)
		pgtx.UTC(&c.OpenedAt, c.ClaimedAt, c.ClosedAt)
		return c, err
	}
}

// Case returns one case. ErrNotFound where there is none.
func (d *Desk) Case(ctx context.Context, ref Ref) (Case, error) {
	if d.pool(ref.Schema) == nil {
		return Case{}, ErrNotFound
	}
	rows, err := d.pool(ref.Schema).Query(ctx, fmt.Sprintf(selectCase, ref.Schema)+` where id = $1`, ref.Number)
	if err != nil {
		return Case{}, fmt.Errorf("read case %s: %w", ref, err)
	}
	c, err := pgx.CollectExactlyOneRow(rows, scanCase(ref.Schema))
	if errors.Is(err, pgx.ErrNoRows) {
		return Case{}, ErrNotFound
	}
	if err != nil {
		return Case{}, fmt.Errorf("read case %s: %w", ref, err)
	}
	return c, nil
}

const selectCaseEvents = `
select at, actor, kind::text, coalesce(note, '')
from %s.case_events
where case_id = $1
order by id`

// CaseEvents returns the history of a case, oldest first.
func (d *Desk) CaseEvents(ctx context.Context, ref Ref) ([]CaseEvent, error) {
	rows, err := d.pool(ref.Schema).Query(ctx, fmt.Sprintf(selectCaseEvents, ref.Schema), ref.Number)
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
