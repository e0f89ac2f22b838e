package replay

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/walletctl/walletctl/walletcore/pgtx"
)

// Story is everything that is known about a subject, in one time line over both
// schemas.
type Story struct {
	Subject Subject  `json:"subject"`
	Facts   []Fact   `json:"facts"`   // what it is and how it stands, in the order to show
	Moments []Moment `json:"moments"` // oldest first
	Missing []string `json:"missing"` // what could not be read, and why
}

// Fact is one line of what a subject is.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Moment is one line of a time line.
type Moment struct {
	At     time.Time `json:"at"`
	Where  string    `json:"where"` // gateway, casino, queue, gaming or oncall
	What   string    `json:"what"`
	Detail string    `json:"detail,omitempty"`
	Actor  string    `json:"actor,omitempty"` // the login of a person, or who asked gaming
	// CorrelationID follows the money from the webhook to the entry.
	CorrelationID string `json:"correlation_id,omitempty"`
}

// part is a query that adds moments: at, where, what, detail, actor, correlation
// id. $1 is the subject's id.
type part struct {
	name   string
	schema string
	query  string
}

var depositParts = []part{
	{"messages of the gateway", "casino", `
select received_at, 'gateway', 'message: ' || status,
  concat_ws(' ', result::text, nullif(reason, ''), amount::text, currency, nullif(payment_id, ''), nullif(event_type, '')), '', id
from casino.gateway_messages
where deposit_id = $1`},
	{"history", "casino", `
select at, 'casino', kind::text,
  concat_ws(' ', 'attempt ' || attempt, nullif(error_class, '') || ':', detail), '', coalesce(message_id, '')
from casino.deposit_events
where deposit_id = $1`},
	{"jobs", "casino", `
select j.scheduled_at, 'queue', 'job ' || j.id || ': ' || j.state::text, 'attempt ' || j.attempt || ' of ' || j.max_attempts, '', ''
from casino.deposits d
join casino.river_job j on j.id = d.job_id
where d.id = $1`},
}

var withdrawalParts = []part{
	{"messages of the gateway", "casino", `
select received_at, 'gateway', 'message: ' || status,
  concat_ws(' ', result::text, nullif(reason, ''), amount::text, currency, nullif(payment_id, ''), nullif(event_type, '')), '', id
from casino.gateway_messages
where withdrawal_id = $1`},
	{"history", "casino", `
select at, 'casino', kind::text,
  concat_ws(' ', 'attempt ' || attempt, nullif(error_class, '') || ':', detail), '', coalesce(message_id, '')
from casino.withdrawal_events
where withdrawal_id = $1`},
	{"jobs", "casino", `
select j.scheduled_at, 'queue', 'job ' || j.id || ': ' || j.state::text, j.kind || ', attempt ' || j.attempt || ' of ' || j.max_attempts, '', ''
from casino.withdrawals w
join casino.river_job j on j.id in (w.debit_job_id, w.payout_job_id, w.reversal_job_id)
where w.id = $1`},
}

// What follows is the same for both.
var commonParts = []part{
	{"cases", "casino", `
select e.at, 'oncall', 'case casino-' || c.id || ' (' || c.kind::text || ') ' || e.kind::text, coalesce(e.note, ''), e.actor, ''
from casino.cases c
join casino.case_events e on e.case_id = c.id
where c.subject_id = $1 or (c.subject_type = 'effect' and c.subject_id like replace($1, '_', '\_') || '/%')`},
	{"replays", "casino", `
select at, 'oncall', 'replay: ' || outcome, why, actor, ''
from casino.replays
where subject_id = $1`},
	{"gaming's ledger", "gaming", `
select e.recorded_at, 'gaming', 'entry: ' || e.kind::text || coalesce(' (' || e.mark::text || ')', ''),
  format('real %s -> %s, bonus %s -> %s, wallet %s seq %s', e.real_before, e.real_after, e.bonus_before, e.bonus_after,
    e.wallet_id, e.seq), e.actor, coalesce(e.reference, '')
from gaming.receipts r
join gaming.entries e on e.wallet_id = r.wallet_id and e.seq = r.seq
where r.external_id = $1 and r.kind in ('deposit', 'withdrawal', 'withdrawal_reversal')`},
}

// Explain tells what is known about a deposit or a withdrawal. What cannot be
// read is said to be missing; ErrNotFound where casino knows of no such thing
// and no message ever named it.
func (d *Desk) Explain(ctx context.Context, s Subject) (Story, error) {
	story := Story{Subject: s, Facts: []Fact{}, Moments: []Moment{}, Missing: []string{}}
	parts, facts := depositParts, d.depositFacts
	if s.Type == Withdrawal {
		parts, facts = withdrawalParts, d.withdrawalFacts
	}
	known, err := facts(ctx, s.ID)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return story, err
	}
	story.Facts = known
	for _, p := range append(slices.Clone(parts), commonParts...) {
		d.tell(ctx, &story, p, s.ID)
	}
	if len(story.Facts) == 0 && len(story.Moments) == 0 && len(story.Missing) == 0 {
		return story, ErrNotFound
	}
	slices.SortStableFunc(story.Moments, func(a, b Moment) int { return a.At.Compare(b.At) })
	return story, nil
}

// tell adds the moments of one part, or says that they are missing.
func (d *Desk) tell(ctx context.Context, story *Story, p part, args ...any) {
	pool := d.pool(p.schema)
	if pool == nil {
		story.Missing = append(story.Missing, p.name+": no database of "+p.schema+" is given")
		return
	}
	rows, err := pool.Query(ctx, p.query, args...)
	if err == nil {
		var moments []Moment
		if moments, err = pgx.CollectRows(rows, scanMoment); err == nil {
			story.Moments = append(story.Moments, moments...)
		}
	}
	if err != nil {
		story.Missing = append(story.Missing, fmt.Sprintf("%s: %v", p.name, err))
	}
}

func scanMoment(row pgx.CollectableRow) (Moment, error) {
	var m Moment
	err := row.Scan(&m.At, &m.Where, &m.What, &m.Detail, &m.Actor, &m.CorrelationID)
	pgtx.UTC(&m.At)
	return m, err
}
