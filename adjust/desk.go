package adjust

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/walletctl/walletctl/walletcore/pgtx"
)

// Desk is where employees ask and approve. Its pool connects with the person's
// own login to gaming's database: that is who they are.
type Desk struct {
	Pool   *pgxpool.Pool
	Host   string // of the person's machine; kept with each step
	Client string // the program and its version; kept with each step
}

// Request asks for an adjustment and returns its id. The error is a
// *walletcore.FieldError, ErrNotFound where there is no wallet, or ErrForbidden.
func (d *Desk) Request(ctx context.Context, r Request) (string, error) {
	if err := r.Validate(); err != nil {
		return "", err
	}
	if r.ExpiresIn == 0 {
		r.ExpiresIn = DefaultExpiry
	}
	var id string
	err := d.Pool.QueryRow(ctx, `select gaming.request_adjustment($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::interval, $11, $12)`,
		r.Wallet, r.Real, r.Bonus, r.Reason, r.Ticket, r.Note, pgtx.OrNull(r.CorrectsSeq), r.CaseRef, r.AllowDebt,
		fmt.Sprintf("%d seconds", int64(r.ExpiresIn/time.Second)), d.Host, d.Client).Scan(&id)
	return id, actError("request an adjustment", err)
}

// Approve approves an adjustment, and reports whether that was enough: above
// the approver's or the requester's limits it waits for a second one. The error
// is a *RuleError where the login may not, or where it waits for nobody.
func (d *Desk) Approve(ctx context.Context, id, note string) (enough bool, err error) {
	err = d.Pool.QueryRow(ctx, `select gaming.approve_adjustment($1, $2, $3, $4)`, id, note, d.Host, d.Client).Scan(&enough)
	return enough, actError("approve "+id, err)
}

// Reject says no to an adjustment, and why.
func (d *Desk) Reject(ctx context.Context, id, note string) error {
	return d.step(ctx, "reject "+id, `select gaming.reject_adjustment($1, $2, $3, $4)`, id, note)
}

// Cancel takes a request back, by the one who made it.
func (d *Desk) Cancel(ctx context.Context, id, note string) error {
	return d.step(ctx, "cancel "+id, `select gaming.cancel_adjustment($1, $2, $3, $4)`, id, note)
}

func (d *Desk) step(ctx context.Context, what, function, id, note string) error {
	_, err := d.Pool.Exec(ctx, function, id, note, d.Host, d.Client)
	return actError(what, err)
}

const pollEvery = 100 * time.Millisecond

// Wait returns the adjustment when it has ended, or as it stands when ctx ends:
// gaming goes on with what is approved.
func (d *Desk) Wait(ctx context.Context, id string) (Adjustment, error) {
	ticker := time.NewTicker(pollEvery)
	defer ticker.Stop()
	var last Adjustment
	for {
		a, err := d.Find(ctx, id)
		switch {
		case err == nil && a.State.Ended():
			return a, nil
		case err == nil:
			last = a
		case ctx.Err() == nil:
			return last, err
		}
		select {
		case <-ctx.Done():
			return last, nil
		case <-ticker.C:
		}
	}
}

const selectSteps = `
select at, actor, step::text, alone, coalesce(note, ''), coalesce(host, ''), coalesce(client, '')
from gaming.adjustment_steps
where adjustment_id = $1
order by id`

// Steps returns everything that was done about an adjustment, oldest first.
func (d *Desk) Steps(ctx context.Context, id string) ([]Step, error) {
	rows, err := d.Pool.Query(ctx, selectSteps, id)
	if err != nil {
		return nil, fmt.Errorf("read steps of %s: %w", id, err)
	}
	steps, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (Step, error) {
		var s Step
		err := row.Scan(&s.At, &s.Actor, &s.Step, &s.Alone, &s.Note, &s.Host, &s.Client)
		s.At = s.At.UTC()
		return s, err
	})
	if err != nil {
		return nil, fmt.Errorf("read steps of %s: %w", id, err)
	}
	return steps, nil
}
