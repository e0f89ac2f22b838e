package backfill

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/walletctl/walletctl/walletcore"
)

// Change is a step of a brand, as it is kept.
type Change struct {
	Was, State walletcore.BrandState
	At         time.Time
	Actor      string // the login that took it
	Host       string
	Note       string
	Totals     json.RawMessage // of going live: what was inside; nil of other steps
}

const listChanges = `
select was::text, state::text, at, actor, host, note, totals
from gaming.brand_changes
where brand_id = $1
order by id`

func changesOf(ctx context.Context, pool *pgxpool.Pool, brand string) ([]Change, error) {
	rows, err := pool.Query(ctx, listChanges, brand)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (c Change, err error) {
		err = row.Scan(&c.Was, &c.State, &c.At, &c.Actor, &c.Host, &c.Note, &c.Totals)
		c.At = c.At.UTC()
		return c, err
	})
}

const (
	holdAlone = `select gaming.hold_brand($1, true)::text`
	moveBrand = `select gaming.move_brand($1, $2::text::gaming.brand_state, $3, $4, $5, $6)`
)

// Begin makes a closed brand importing. One that is importing stays so. The
// error is a *StateError where it is live.
func (o *Opening) Begin(ctx context.Context, note string) error {
	return o.step(ctx, func(tx pgx.Tx, state walletcore.BrandState) error {
		switch state {
		case walletcore.BrandImporting:
			return nil
		case walletcore.BrandLive:
			return &StateError{Brand: o.o.Brand, State: state, Want: walletcore.BrandClosed}
		}
		return o.move(ctx, tx, walletcore.BrandImporting, note, nil)
	})
}

// LiveOptions say what has to hold before a brand goes live.
type LiveOptions struct {
	// Declared is what the wallets must hold, every currency of them: the sums
	// of the source that they came from.
	Declared Totals
	// Horizon is how far back providers send again: the history from then on has
	// to be in. Default DefaultHorizon.
	Horizon time.Duration
	// WithoutHistory is why a brand goes live without it; kept with the step. A
	// resend from before would then be taken for new.
	WithoutHistory string
	// Note is kept with the step.
	Note string
}

// GoLive lets movements in, for good. It waits for wallets that are coming in,
// and compares under the lock that keeps others out. The error is a
// *TotalsError, *HistoryError, *StateError or ErrRunning; then nothing changed.
func (o *Opening) GoLive(ctx context.Context, live LiveOptions) (Totals, error) {
	if live.Horizon == 0 {
		live.Horizon = DefaultHorizon
	}
	var totals Totals
	err := o.alone(ctx, func(*pgxpool.Conn) error {
		return o.step(ctx, func(tx pgx.Tx, state walletcore.BrandState) (err error) {
			if state == walletcore.BrandLive {
				return &StateError{Brand: o.o.Brand, State: state, Want: walletcore.BrandImporting}
			}
			if totals, err = totalsOf(ctx, tx, o.o.Brand); err != nil {
				return err
			}
			if differences := totals.Compare(live.Declared); len(differences) > 0 {
				return &TotalsError{Differences: differences}
			}
			if err := checkHistory(ctx, tx, o.o.Brand, &live); err != nil {
				return err
			}
			return o.move(ctx, tx, walletcore.BrandLive, live.note(), totals)
		})
	})
	return totals, err
}

func (l *LiveOptions) note() string {
	if l.WithoutHistory == "" {
		return l.Note
	}
	note := "without history: " + l.WithoutHistory
	if l.Note != "" {
		note += "; " + l.Note
	}
	return note
}

// step runs work in a transaction that holds the brand alone.
func (o *Opening) step(ctx context.Context, work func(pgx.Tx, walletcore.BrandState) error) error {
	err := pgx.BeginFunc(ctx, o.o.Pool, func(tx pgx.Tx) error {
		var state walletcore.BrandState
		if err := tx.QueryRow(ctx, holdAlone, o.o.Brand).Scan(&state); err != nil {
			return err
		}
		return work(tx, state)
	})
	return stepError(err)
}

func (o *Opening) move(ctx context.Context, tx pgx.Tx, next walletcore.BrandState, note string, totals Totals) error {
	var text *string
	if totals != nil {
		kept, err := json.Marshal(totals.kept())
		if err != nil {
			return err
		}
		s := string(kept)
		text = &s
	}
	_, err := tx.Exec(ctx, moveBrand, o.o.Brand, string(next), note, text, o.o.Host, o.o.Client)
	return err
}

// keptTotal is a line of what a step keeps: amounts as strings of 8 places.
type keptTotal struct {
	Currency string `json:"currency"`
	Wallets  int64  `json:"wallets"`
	Real     string `json:"real"`
	Bonus    string `json:"bonus"`
}

func (t Totals) kept() []keptTotal {
	kept := make([]keptTotal, len(t))
	for i, total := range t {
		kept[i] = keptTotal{total.Currency, total.Wallets, places(total.Real), places(total.Bonus)}
	}
	return kept
}
