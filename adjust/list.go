package adjust

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/pgtx"
)

const (
	// MaxList is the most adjustments that one list returns.
	MaxList = 1000

	defaultList = 50
)

// Filter selects adjustments. Zero fields select all.
type Filter struct {
	State  State
	Brand  string
	Mine   bool // requested by this login
	Wallet uuid.UUID
	Since  time.Time // requested at or after
	Until  time.Time // requested before
	Limit  int       // 50 by default, MaxList at the most
}

// Validate refuses a filter that cannot be meant. The error is a
// *walletcore.FieldError.
func (f *Filter) Validate() error {
	switch {
	case f.State != "" && !slices.Contains(States(), f.State):
		return &walletcore.FieldError{Field: "state", Reason: fmt.Sprintf("is not one of %v", States())}
	case f.Limit < 0 || f.Limit > MaxList:
		return &walletcore.FieldError{Field: "limit", Reason: fmt.Sprintf("must be between 1 and %d", MaxList)}
	case !f.Since.IsZero() && !f.Until.IsZero() && !f.Since.Before(f.Until):
		return &walletcore.FieldError{Field: "until", Reason: "must be after since"}
	}
	return nil
}

func (f *Filter) arguments() []any {
	return []any{
		pgtx.OrNull(string(f.State)), pgtx.OrNull(f.Brand), f.Mine, pgtx.OrNull(f.Wallet),
		pgtx.OrNull(f.Since), pgtx.OrNull(f.Until),
	}
}

const selectAdjustment = `
select a.id, s.state, a.wallet_id, a.brand_id, a.user_id, a.currency, a.real, a.bonus, a.reason, a.ticket,
  a.note, a.corrects_seq, coalesce(a.case_ref, ''), a.allow_debt, a.needs_two, a.requested_by, a.requested_at,
  a.expires_at, p.actors, p.at,
  e.seq, e.real_before::text, e.real_after::text, e.bonus_before::text, e.bonus_after::text, e.recorded_at
from gaming.adjustments a
cross join lateral (select gaming.state_of(a) as state) s
cross join lateral (
  select coalesce(array_agg(actor order by at, id), '{}') as actors, max(at) as at
  from gaming.adjustment_steps
  where adjustment_id = a.id and step = 'approved') p
left join gaming.entries e on e.wallet_id = a.wallet_id and e.kind = 'adjustment' and e.external_id = a.id`

const matching = `
where ($1::text is null or s.state = $1)
  and ($2::text is null or a.brand_id = $2)
  and (not $3 or a.requested_by = session_user)
  and ($4::uuid is null or a.wallet_id = $4)
  and ($5::timestamptz is null or a.requested_at >= $5)
  and ($6::timestamptz is null or a.requested_at < $6)`

// Each half reads no more of the history than it shows: nothing waits longer
// than 30 days.
const (
	waitingFirst = `
  and s.state = 'requested' and a.requested_at > clock_timestamp() - interval '720 hours'
order by a.requested_at, a.id
limit $7`
	newestFirst = `
  and s.state <> 'requested'
order by a.requested_at desc, a.id desc
limit $7`
)

// List returns adjustments, those first that wait for an approver, the oldest of
// them first; then the newest.
func (d *Desk) List(ctx context.Context, f Filter) ([]Adjustment, error) {
	if err := f.Validate(); err != nil {
		return nil, err
	}
	if f.Limit == 0 {
		f.Limit = defaultList
	}
	list, err := query(ctx, d.Pool, selectAdjustment+matching+waitingFirst, append(f.arguments(), f.Limit)...)
	if err != nil || len(list) == f.Limit || f.State == Requested {
		return list, err
	}
	rest, err := query(ctx, d.Pool, selectAdjustment+matching+newestFirst, append(f.arguments(), f.Limit)...)
	if err != nil {
		return nil, err
	}
	list = append(list, without(rest, list)...)
	return list[:min(len(list), f.Limit)], nil
}

// without leaves out what was decided while the list was read: it is there as
// it stood before.
func without(rest, list []Adjustment) []Adjustment {
	return slices.DeleteFunc(rest, func(a Adjustment) bool {
		return slices.ContainsFunc(list, func(b Adjustment) bool { return a.ID == b.ID })
	})
}

// Find returns one adjustment, or ErrNotFound.
func (d *Desk) Find(ctx context.Context, id string) (Adjustment, error) {
	found, err := query(ctx, d.Pool, selectAdjustment+` where a.id = $1`, id)
	if err == nil && len(found) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return Adjustment{}, err
	}
	return found[0], nil
}

func query(ctx context.Context, db pgtx.Querier, sql string, args ...any) ([]Adjustment, error) {
	rows, err := db.Query(ctx, sql, args...)
	if err != nil {
		return nil, actError("read adjustments", err)
	}
	found, err := pgx.CollectRows(rows, scan)
	if err != nil {
		return nil, actError("read adjustments", err)
	}
	return found, nil
}

func scan(row pgx.CollectableRow) (Adjustment, error) {
	var a Adjustment
	var e pgtx.Receipt
	err := row.Scan(&a.ID, &a.State, &a.WalletID, &a.Brand, &a.User, &a.Currency, &a.Real, &a.Bonus, &a.Reason, &a.Ticket,
		&a.Note, &a.CorrectsSeq, &a.CaseRef, &a.AllowDebt, &a.NeedsTwo, &a.RequestedBy, &a.RequestedAt, &a.ExpiresAt,
		&a.Approvers, &a.ApprovedAt, &e.Seq, &e.RealBefore, &e.RealAfter, &e.BonusBefore, &e.BonusAfter, &e.RecordedAt)
	if err != nil {
		return a, err
	}
	pgtx.UTC(&a.RequestedAt, &a.ExpiresAt, a.ApprovedAt)
	if e.Seq != nil {
		e.WalletID = &a.WalletID
		receipt, err := e.Of(walletcore.KindAdjustment, a.ID)
		if err != nil {
			return a, err
		}
		a.Receipt = &Receipt{
			Seq: receipt.Seq, RealBefore: receipt.RealBefore, RealAfter: receipt.RealAfter,
			BonusBefore: receipt.BonusBefore, BonusAfter: receipt.BonusAfter, RecordedAt: receipt.RecordedAt,
		}
	}
	return a, nil
}
