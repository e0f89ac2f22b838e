package replay

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
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

// Explain tells what is known about a deposit or a withdrawal. What cannot be
// read is said to be missing. The error is ErrNotFound where casino knows of no
// such thing and no message ever named it, or says why nothing could be read.
func (d *Desk) Explain(ctx context.Context, s Subject) (Story, error) {
	parts, facts := depositParts, d.depositFacts
	if s.Type == Withdrawal {
		parts, facts = withdrawalParts, d.withdrawalFacts
	}
	t := newTeller(d, s)
	t.know("facts", func() ([]Fact, error) { return facts(ctx, s.ID) })
	for _, p := range append(slices.Clone(parts), commonParts...) {
		args := []any{s.ID}
		if p.typed {
			args = append(args, s.Type)
		}
		t.tell(ctx, p, args...)
	}
	if len(t.story.Facts) > 0 {
		t.story.Facts = append(t.story.Facts, t.ledgerFact())
	}
	return t.end()
}

// teller gathers a story.
type teller struct {
	desk   *Desk
	story  Story
	failed []error // why parts are missing
}

func newTeller(d *Desk, s Subject) *teller {
	return &teller{desk: d, story: Story{Subject: s, Facts: []Fact{}, Moments: []Moment{}, Missing: []string{}}}
}

// know adds facts. What is not there has none.
func (t *teller) know(name string, read func() ([]Fact, error)) {
	facts, err := read()
	switch {
	case errors.Is(err, ErrNotFound):
	case err != nil:
		t.miss(name, err)
	default:
		t.story.Facts = append(t.story.Facts, facts...)
	}
}

// tell adds the moments of one part.
func (t *teller) tell(ctx context.Context, p part, args ...any) {
	pool, err := t.desk.of(p.schema)
	if err != nil {
		t.story.Missing = append(t.story.Missing, p.name+": "+err.Error())
		return
	}
	rows, err := pool.Query(ctx, p.query, args...)
	if err != nil {
		t.miss(p.name, err)
		return
	}
	moments, err := pgx.CollectRows(rows, scanMoment)
	if err != nil {
		t.miss(p.name, err)
	}
	t.story.Moments = append(t.story.Moments, moments...)
}

func (t *teller) miss(name string, err error) {
	t.failed = append(t.failed, err)
	t.story.Missing = append(t.story.Missing, name+": "+err.Error())
}

// ledgerFact says what gaming's ledger holds now.
func (t *teller) ledgerFact() Fact {
	fact := Fact{Name: ledgerPart, Value: "no entry"}
	for _, missing := range t.story.Missing {
		if strings.HasPrefix(missing, ledgerPart) {
			fact.Value = "could not be read"
		}
	}
	var entries []string
	for _, m := range t.story.Moments {
		if m.Where == "gaming" {
			entries = append(entries, m.What)
		}
	}
	if len(entries) > 0 {
		fact.Value = strings.Join(entries, ", ")
	}
	return fact
}

// end puts the moments in order, and says where there are none.
func (t *teller) end() (Story, error) {
	slices.SortStableFunc(t.story.Moments, func(a, b Moment) int { return a.At.Compare(b.At) })
	if len(t.story.Facts) > 0 || len(t.story.Moments) > 0 {
		return t.story, nil
	}
	if len(t.failed) > 0 {
		return t.story, fmt.Errorf("explain %s: %w", t.story.Subject.ID, t.failed[0])
	}
	return t.story, ErrNotFound
}

func scanMoment(row pgx.CollectableRow) (Moment, error) {
	var m Moment
	err := row.Scan(&m.At, &m.Where, &m.What, &m.Detail, &m.Actor, &m.CorrelationID)
	pgtx.UTC(&m.At)
	return m, err
}
