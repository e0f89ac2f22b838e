package adjust

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/walletctl/walletctl/walletcore"
)

// Limit is what a role or a person may ask for, or approve, alone. Above it a
// second approver is needed.
type Limit struct {
	Grantee       string           `json:"grantee"`  // support, supervisor, or a login, whose line goes before its role's
	Act           string           `json:"act"`      // request or approve
	Currency      string           `json:"currency"` // * is every currency without a line of its own
	PerAdjustment walletcore.Money `json:"per_adjustment"`
	PerDay        walletcore.Money `json:"per_day"` // of the last 24 hours
	MayDebt       bool             `json:"may_debt"`
}

// Limits returns the limits that hold.
func (d *Desk) Limits(ctx context.Context) ([]Limit, error) {
	const limits = `
select grantee, act, currency, per_adjustment, per_day, may_debt
from gaming.adjustment_limits
order by act desc, grantee, currency`
	rows, err := d.Pool.Query(ctx, limits)
	if err != nil {
		return nil, fmt.Errorf("read limits: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Limit])
}

// LimitChange is how a limit was set or removed: what held at any time follows.
type LimitChange struct {
	At     time.Time `json:"at"`
	Actor  string    `json:"actor"`  // the database's login
	Change string    `json:"change"` // set or removed
	Limit
}

// LimitChanges returns every change of the limits, oldest first.
func (d *Desk) LimitChanges(ctx context.Context) ([]LimitChange, error) {
	const changes = `
select at, actor, change, grantee, act, currency, per_adjustment, per_day, may_debt
from gaming.adjustment_limit_changes
order by at, id`
	rows, err := d.Pool.Query(ctx, changes)
	if err != nil {
		return nil, fmt.Errorf("read changes of limits: %w", err)
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (LimitChange, error) {
		var c LimitChange
		err := row.Scan(&c.At, &c.Actor, &c.Change, &c.Grantee, &c.Act, &c.Currency, &c.PerAdjustment, &c.PerDay, &c.MayDebt)
		c.At = c.At.UTC()
		return c, err
	})
}

// Reason is why a balance is corrected.
type Reason struct {
	Code    string `json:"code"`
	Meaning string `json:"meaning"`
	Active  bool   `json:"active"` // a request may name it
}

// Reasons returns all reasons, those that are not used any more at the end.
func (d *Desk) Reasons(ctx context.Context) ([]Reason, error) {
	rows, err := d.Pool.Query(ctx, `select code, meaning, active from gaming.adjustment_reasons order by active desc, code`)
	if err != nil {
		return nil, fmt.Errorf("read reasons: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Reason])
}
