package withdrawal

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/pgtx"
)

// MaxPage is the most withdrawals that one List returns.
const MaxPage = 1000

// Filter selects withdrawals. Zero fields select all.
type Filter struct {
	Brand   string
	User    string
	Status  Status
	Gateway string
	Since   time.Time // created at or after
	Until   time.Time // created before
	After   string    // the last id of the page before; empty for the first page
	Limit   int       // 100 by default, MaxPage at the most
}

// Validate refuses a filter that cannot be meant. The error is a
// *walletcore.FieldError.
func (f *Filter) Validate() error {
	switch {
	case f.Status != "" && !f.Status.Valid():
		return &walletcore.FieldError{Field: "status", Reason: "is not a status of a withdrawal"}
	case f.Limit < 0 || f.Limit > MaxPage:
		return &walletcore.FieldError{Field: "limit", Reason: fmt.Sprintf("must be between 1 and %d", MaxPage)}
	case f.User != "" && f.Brand == "":
		return &walletcore.FieldError{Field: "brand", Reason: "must be given with a user"}
	}
	return nil
}

// Newest first: ids sort by creation.
const selectPage = selectWithdrawal + `
where ($1::text is null or brand_id = $1)
  and ($2::text is null or user_id = $2)
  and ($3::text is null or status = $3::text::casino.withdrawal_status)
  and ($4::text is null or gateway = $4)
  and ($5::timestamptz is null or created_at >= $5)
  and ($6::timestamptz is null or created_at < $6)
  and ($7::text is null or id < $7 collate "C")
order by id desc
limit $8`

// List returns one page, newest first. The next page is After the last id.
func (s *Store) List(ctx context.Context, f Filter) ([]Withdrawal, error) {
	if err := f.Validate(); err != nil {
		return nil, err
	}
	if f.Limit == 0 {
		f.Limit = 100
	}
	rows, err := s.Pool.Query(ctx, selectPage, pgtx.OrNull(f.Brand), pgtx.OrNull(f.User), pgtx.OrNull(string(f.Status)),
		pgtx.OrNull(f.Gateway), pgtx.OrNull(f.Since), pgtx.OrNull(f.Until), pgtx.OrNull(f.After), f.Limit)
	if err != nil {
		return nil, fmt.Errorf("list withdrawals: %w", err)
	}
	page, err := pgx.CollectRows(rows, scan)
	if err != nil {
		return nil, fmt.Errorf("list withdrawals: %w", err)
	}
	return page, nil
}
