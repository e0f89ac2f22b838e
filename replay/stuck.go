package replay

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/pgtx"
)

// Item is work that ran out of retries: a deposit that was not credited, a
// withdrawal that was not debited, asked for or given back, an effect that was
// not published.
type Item struct {
	Subject   Subject          `json:"subject"`
	Case      Ref              `json:"case"`
	Kind      string           `json:"kind"`   // of the case: which step it is stuck in
	Status    string           `json:"status"` // of the deposit or withdrawal
	Brand     string           `json:"brand"`
	User      string           `json:"user"`
	Currency  string           `json:"currency"`
	Amount    walletcore.Money `json:"amount"` // main unit
	Attempts  int              `json:"attempts"`
	Class     string           `json:"error_class"`
	LastError string           `json:"last_error"`
	Since     time.Time        `json:"since"` // when the case was opened
	Owner     string           `json:"owner"`
	// NextAttemptAt says when it is tried next, where it was sent again.
	NextAttemptAt *time.Time `json:"next_attempt_at"`
}

// StuckFilter selects items. Zero fields select all.
type StuckFilter struct {
	Brand   string
	Subject string    // an id
	Class   string    // of the last error
	Since   time.Time // stuck since this time or later
	Until   time.Time // stuck since before
	Limit   int       // MaxStuck by default and at the most
}

// MaxStuck is the most items that one list returns.
const MaxStuck = 100_000

// Validate refuses a filter that cannot be meant. The error is a
// *walletcore.FieldError.
func (f *StuckFilter) Validate() error {
	if f.Limit < 0 || f.Limit > MaxStuck {
		return &walletcore.FieldError{Field: "limit", Reason: fmt.Sprintf("must be between 1 and %d", MaxStuck)}
	}
	return nil
}

// One open case is one item, the oldest first. Each is found by key.
const selectStuck = `
select c.id, c.subject_type, c.subject_id, c.kind::text, c.brand_id, c.opened_at, coalesce(c.owner, ''),
  coalesce(d.status::text, w.status::text, ''), coalesce(d.user_id, w.user_id, ''),
  coalesce(d.currency, w.currency, ''), coalesce(d.amount, w.amount, 0)::text,
  coalesce(e.attempts, d.attempts, w.attempts, 0), f.class,
  coalesce(e.last_error, case when e.deposit_id is null then d.last_error end, w.last_error, c.detail->>'error', ''),
  case when e.deposit_id is null then coalesce(d.next_attempt_at, w.next_attempt_at) end
from casino.cases c
left join casino.effects e on c.subject_type = 'effect' and e.deposit_id = split_part(c.subject_id, '/', 1)
  and e.effect = substr(c.subject_id, strpos(c.subject_id, '/') + 1)
left join casino.deposits d on c.subject_type in ('deposit', 'effect') and d.id = split_part(c.subject_id, '/', 1)
left join casino.withdrawals w on c.subject_type = 'withdrawal' and w.id = c.subject_id
cross join lateral (
  select coalesce(case when e.deposit_id is null then d.last_error_class else 'unknown' end, w.last_error_class, '')) f (class)
where c.closed_at is null
  and c.kind in ('credit_exhausted', 'credit_invalid', 'key_conflict', 'effect_exhausted',
    'debit_exhausted', 'debit_invalid', 'payout_exhausted', 'reversal_exhausted', 'reversal_invalid')
  and ($1::text is null or c.brand_id = $1)
  and ($2::text is null or c.subject_id = $2)
  and ($3::timestamptz is null or c.opened_at >= $3)
  and ($4::timestamptz is null or c.opened_at < $4)
  and ($5::text is null or f.class = $5)
order by c.opened_at, c.id
limit $6`

// Stuck lists what ran out of retries.
func (d *Desk) Stuck(ctx context.Context, f StuckFilter) ([]Item, error) {
	if err := f.Validate(); err != nil {
		return nil, err
	}
	if f.Limit == 0 {
		f.Limit = MaxStuck
	}
	rows, err := d.Casino.Query(ctx, selectStuck, pgtx.OrNull(f.Brand), pgtx.OrNull(f.Subject), pgtx.OrNull(f.Since),
		pgtx.OrNull(f.Until), pgtx.OrNull(f.Class), f.Limit)
	if err != nil {
		return nil, fmt.Errorf("list what is stuck: %w", err)
	}
	items, err := pgx.CollectRows(rows, scanItem)
	if err != nil {
		return nil, fmt.Errorf("list what is stuck: %w", err)
	}
	return items, nil
}

func scanItem(row pgx.CollectableRow) (Item, error) {
	i := Item{Case: Ref{Schema: "casino"}}
	err := row.Scan(&i.Case.Number, &i.Subject.Type, &i.Subject.ID, &i.Kind, &i.Brand, &i.Since, &i.Owner, &i.Status,
		&i.User, &i.Currency, &i.Amount, &i.Attempts, &i.Class, &i.LastError, &i.NextAttemptAt)
	pgtx.UTC(&i.Since, i.NextAttemptAt)
	return i, err
}
