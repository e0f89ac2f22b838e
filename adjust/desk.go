package adjust

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/pgtx"
)

// Desk is where employees ask and approve. Its pool connects with the person's
// own login to gaming's database: that is who they are.
type Desk struct {
	Pool   *pgxpool.Pool
	Host   string // of the person's machine; kept with each step
	Client string // the program and its version; kept with each step
	// DryRun does everything and takes it back: nothing is recorded, nobody is
	// told.
	DryRun bool
}

const request = `
select gaming.request_adjustment($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::interval, $12, $13)`

// Request asks for an adjustment and returns its id. The error is a
// *walletcore.FieldError, ErrNotFound where there is no wallet, ErrForbidden,
// or an *UnknownError.
func (d *Desk) Request(ctx context.Context, r Request) (string, error) {
	if err := r.Validate(); err != nil {
		return "", err
	}
	if r.ID == "" {
		r.ID = NewID()
	}
	if r.ExpiresIn == 0 {
		r.ExpiresIn = DefaultExpiry
	}
	err := d.act(ctx, "request", r.ID, nil, request, r.ID, r.Wallet, r.Real, r.Bonus, r.Reason, r.Ticket, r.Note,
		r.CorrectsSeq, r.CaseRef, r.AllowDebt, fmt.Sprintf("%d microseconds", r.ExpiresIn/time.Microsecond),
		pgtx.Clip(d.Host), pgtx.Clip(d.Client))
	return r.ID, err
}

// Approve approves an adjustment, and reports whether that was enough: above
// the approver's or the requester's limits it waits for a second one. The error
// is a *RuleError where the login may not, or where it waits for nobody, ErrBusy
// where another's step is under way, or an *UnknownError.
func (d *Desk) Approve(ctx context.Context, id, note string) (enough bool, err error) {
	err = d.step(ctx, "approve", id, note, &enough, `select gaming.approve_adjustment($1, $2, $3, $4)`)
	return enough, err
}

// Reject says no to an adjustment, and why.
func (d *Desk) Reject(ctx context.Context, id, note string) error {
	if strings.TrimSpace(note) == "" {
		return &walletcore.FieldError{Field: "note", Reason: "must say why"}
	}
	return d.step(ctx, "reject", id, note, nil, `select gaming.reject_adjustment($1, $2, $3, $4)`)
}

// Cancel takes a request back, by the one who made it.
func (d *Desk) Cancel(ctx context.Context, id, note string) error {
	return d.step(ctx, "cancel", id, note, nil, `select gaming.cancel_adjustment($1, $2, $3, $4)`)
}

func (d *Desk) step(ctx context.Context, what, id, note string, answer any, function string) error {
	if err := checkNote(note); err != nil {
		return err
	}
	return d.act(ctx, what, id, answer, function, id, note, pgtx.Clip(d.Host), pgtx.Clip(d.Client))
}

// A person's login has no time limits of its own. Nobody waits for long for a
// step that another has begun and not ended, and one whose host is gone ends.
const bounded = `
select set_config('lock_timeout', '3s', true), set_config('statement_timeout', '10s', true),
  set_config('idle_in_transaction_session_timeout', '10s', true)`

// act is one step in one transaction. The steps' own locks need the isolation
// level, whatever the login's default is.
func (d *Desk) act(ctx context.Context, what, id string, answer any, function string, args ...any) error {
	what += " " + id
	tx, err := d.Pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.ReadCommitted})
	if err != nil {
		return actError(what, err)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	if _, err := tx.Exec(ctx, bounded); err != nil {
		return actError(what, err)
	}
	if err := tx.QueryRow(ctx, function, args...).Scan(answer); err != nil {
		return actError(what+": nothing was recorded", err)
	}
	if d.DryRun {
		return actError(what, tx.Rollback(ctx))
	}
	return commitError(id, what, tx.Commit(ctx))
}
