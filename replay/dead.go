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
	"github.com/walletctl/walletctl/walletcore/deadletter"
	"github.com/walletctl/walletctl/walletcore/pgtx"
)

// DeadLetter is a message that a queue gave up on. Times are UTC.
type DeadLetter struct {
	Ref           Ref              `json:"ref"`
	State         deadletter.State `json:"state"`
	Queue         string           `json:"queue"`
	Exchange      string           `json:"exchange"` // that it was first published to
	RoutingKey    string           `json:"routing_key"`
	MessageID     string           `json:"message_id"`
	Type          string           `json:"type"`
	CorrelationID string           `json:"correlation_id"`
	UserID        string           `json:"user_id"` // who sent it first; empty where nobody said
	ContentType   string           `json:"content_type"`
	SentAt        *time.Time       `json:"sent_at"`
	Reason        string           `json:"reason"`
	Deaths        int              `json:"deaths"`
	FirstDeathAt  time.Time        `json:"first_death_at"`
	LastDeathAt   time.Time        `json:"last_death_at"`
	KeptAt        time.Time        `json:"kept_at"`
	BodySize      int64            `json:"body_size"` // of the whole body, in bytes
	Cut           bool             `json:"cut"`       // not all of it is kept
	HandledBy     string           `json:"handled_by"`
	HandledAt     *time.Time       `json:"handled_at"`
	Note          string           `json:"note"`
	Error         string           `json:"error"` // why it could not be sent again

	// These are read by DeadLetter only.
	Headers json.RawMessage `json:"-"`
	Body    []byte          `json:"-"`
	Events  []DeadEvent     `json:"-"` // oldest first
}

// DeadEvent is one act on a dead letter, or what came of it.
type DeadEvent struct {
	At    time.Time        `json:"at"`
	Actor string           `json:"actor"`
	State deadletter.State `json:"state"`
	Note  string           `json:"note"`
}

// MaxDead is the most dead letters that one list returns.
const MaxDead = 100_000

// DeadAll selects dead letters in every state.
const DeadAll = "all"

// DeadFilter selects dead letters. Zero fields select all that wait for a
// person or for being sent.
type DeadFilter struct {
	Queue string
	State string    // one of deadletter.States, or DeadAll
	Since time.Time // kept at or after
	Until time.Time // kept before
	Limit int       // 200 by default, MaxDead at the most
}

// Validate refuses a filter that cannot be meant. The error is a
// *walletcore.FieldError.
func (f *DeadFilter) Validate() error {
	if f.Limit < 0 || f.Limit > MaxDead {
		return &walletcore.FieldError{Field: "limit", Reason: fmt.Sprintf("must be between 1 and %d", MaxDead)}
	}
	if f.State != "" && f.State != DeadAll && !slices.Contains(deadletter.States(), deadletter.State(f.State)) {
		return &walletcore.FieldError{Field: "state", Reason: "is not a state of a dead letter"}
	}
	return nil
}

func (f *DeadFilter) states() []string {
	switch f.State {
	case "":
		return []string{string(deadletter.Kept), string(deadletter.RequeueAsked)}
	case DeadAll:
		var all []string
		for _, s := range deadletter.States() {
			all = append(all, string(s))
		}
		return all
	}
	return []string{f.State}
}

// newestFirst: of those that are done with, the last ones matter.
func (f *DeadFilter) newestFirst() bool {
	return f.State == string(deadletter.Requeued) || f.State == string(deadletter.Discarded)
}

const deadColumns = `id, state::text, queue, exchange, routing_key, message_id, type, correlation_id, user_id, content_type,
  sent_at, reason, deaths, first_death_at, last_death_at, kept_at, body_size, cut, coalesce(handled_by, ''), handled_at,
  coalesce(note, ''), coalesce(error, '')`

const selectDead = `
select ` + deadColumns + `
from %[1]s.dead_letters
where state = any ($1::text[]::%[1]s.dead_letter_state[])
  and ($2::text is null or queue = $2)
  and ($3::timestamptz is null or kept_at >= $3)
  and ($4::timestamptz is null or kept_at < $4)
order by %[2]s
limit $5`

// Dead lists the dead letters of both schemas as one, without headers and
// bodies: the one that waits longest first, or of those that are done with, the
// newest.
func (d *Desk) Dead(ctx context.Context, f DeadFilter) ([]DeadLetter, error) {
	if err := f.Validate(); err != nil {
		return nil, err
	}
	f.Limit = cmp.Or(f.Limit, 200)
	var all []DeadLetter
	for _, schema := range []string{"casino", "gaming"} {
		if d.pool(schema) == nil {
			continue
		}
		some, err := d.deadOf(ctx, schema, &f)
		if err != nil {
			return nil, fmt.Errorf("list dead letters of %s: %w", schema, err)
		}
		all = append(all, some...)
	}
	slices.SortStableFunc(all, func(a, b DeadLetter) int {
		order := cmp.Or(a.KeptAt.Compare(b.KeptAt), strings.Compare(a.Ref.Schema, b.Ref.Schema), cmp.Compare(a.Ref.Number, b.Ref.Number))
		if f.newestFirst() {
			return -order
		}
		return order
	})
	return all[:min(len(all), f.Limit)], nil
}

func (d *Desk) deadOf(ctx context.Context, schema string, f *DeadFilter) ([]DeadLetter, error) {
	order := "kept_at, id"
	if f.newestFirst() {
		order = "kept_at desc, id desc"
	}
	rows, err := d.pool(schema).Query(ctx, fmt.Sprintf(selectDead, schema, order), f.states(), pgtx.OrNull(f.Queue),
		pgtx.OrNull(f.Since), pgtx.OrNull(f.Until), f.Limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (DeadLetter, error) { return scanDead(row, schema) })
}

// scanDead reads deadColumns and what comes after them.
func scanDead(row pgx.CollectableRow, schema string, more ...any) (DeadLetter, error) {
	l := DeadLetter{Ref: Ref{Schema: schema}}
	into := []any{
		&l.Ref.Number, &l.State, &l.Queue, &l.Exchange, &l.RoutingKey, &l.MessageID, &l.Type, &l.CorrelationID, &l.UserID,
		&l.ContentType, &l.SentAt, &l.Reason, &l.Deaths, &l.FirstDeathAt, &l.LastDeathAt, &l.KeptAt, &l.BodySize, &l.Cut,
		&l.HandledBy, &l.HandledAt, &l.Note, &l.Error,
	}
	err := row.Scan(append(into, more...)...)
	pgtx.UTC(l.SentAt, &l.FirstDeathAt, &l.LastDeathAt, &l.KeptAt, l.HandledAt)
	return l, err
}

// DeadLetter returns one with its headers, its body and its history.
// ErrNotFound where there is none.
func (d *Desk) DeadLetter(ctx context.Context, ref Ref) (DeadLetter, error) {
	pool := d.pool(ref.Schema)
	if pool == nil {
		return DeadLetter{}, ErrNotFound
	}
	rows, err := pool.Query(ctx, fmt.Sprintf(`select `+deadColumns+`, headers, body from %s.dead_letters where id = $1`, ref.Schema),
		ref.Number)
	if err != nil {
		return DeadLetter{}, fmt.Errorf("read dead letter %s: %w", ref, err)
	}
	var headers json.RawMessage
	var body []byte
	l, err := pgx.CollectExactlyOneRow(rows, func(row pgx.CollectableRow) (DeadLetter, error) {
		return scanDead(row, ref.Schema, &headers, &body)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return DeadLetter{}, ErrNotFound
	}
	if err != nil {
		return DeadLetter{}, fmt.Errorf("read dead letter %s: %w", ref, err)
	}
	l.Headers, l.Body = headers, body
	l.Events, err = d.deadEvents(ctx, ref)
	return l, err
}

func (d *Desk) deadEvents(ctx context.Context, ref Ref) ([]DeadEvent, error) {
	rows, err := d.pool(ref.Schema).Query(ctx, fmt.Sprintf(`
select at, actor, state::text, coalesce(note, '')
from %s.dead_letter_events
where letter_id = $1
order by id`, ref.Schema), ref.Number)
	if err != nil {
		return nil, fmt.Errorf("read history of %s: %w", ref, err)
	}
	events, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (DeadEvent, error) {
		var e DeadEvent
		err := row.Scan(&e.At, &e.Actor, &e.State, &e.Note)
		e.At = e.At.UTC()
		return e, err
	})
	if err != nil {
		return nil, fmt.Errorf("read history of %s: %w", ref, err)
	}
	return events, nil
}
