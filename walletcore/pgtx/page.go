package pgtx

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/walletctl/walletctl/walletcore"
)

// MaxPage is the most payments that one page holds.
const MaxPage = 1000

// Page selects one page of deposits or of withdrawals. Zero fields select all.
type Page[S Status] struct {
	Brand   string
	User    string
	Status  S
	Gateway string
	Since   time.Time // created at or after
	Until   time.Time // created before
	After   string    // the last id of the page before; empty for the first page
	Limit   int       // 100 by default, MaxPage at the most
}

// Status is where a payment is.
type Status interface {
	~string
	// Known lists the statuses that there are.
	Known() []string
}

// Validate refuses a page that cannot be meant. The error is a
// *walletcore.FieldError.
func (p *Page[S]) Validate() error {
	switch {
	case p.Status != "" && !slices.Contains(p.Status.Known(), string(p.Status)):
		return &walletcore.FieldError{Field: "status", Reason: "is not one of " + strings.Join(p.Status.Known(), ", ")}
	case p.Limit < 0 || p.Limit > MaxPage:
		return &walletcore.FieldError{Field: "limit", Reason: fmt.Sprintf("must be between 1 and %d", MaxPage)}
	case p.User != "" && p.Brand == "":
		return &walletcore.FieldError{Field: "brand", Reason: "must be given with a user"}
	}
	return nil
}

// Newest first: ids sort by creation.
const selectPage = `
where ($1::text is null or brand_id = $1)
  and ($2::text is null or user_id = $2)
  and ($3::text is null or status = $3::text::casino.%s_status)
  and ($4::text is null or gateway = $4)
  and ($5::timestamptz is null or created_at >= $5)
  and ($6::timestamptz is null or created_at < $6)
  and ($7::text is null or id < $7 collate "C")
order by id desc
limit $8`

// List returns one page of payments, the newest first, of which query selects
// all. The next page is After the last id.
func List[T any, S Status](ctx context.Context, db Querier, p Page[S], payment, query string, scan pgx.RowToFunc[T]) ([]T, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if p.Limit == 0 {
		p.Limit = 100
	}
	rows, err := db.Query(ctx, query+fmt.Sprintf(selectPage, payment), OrNull(p.Brand), OrNull(p.User),
		OrNull(string(p.Status)), OrNull(p.Gateway), OrNull(p.Since), OrNull(p.Until), OrNull(p.After), p.Limit)
	if err != nil {
		return nil, fmt.Errorf("list %ss: %w", payment, err)
	}
	page, err := pgx.CollectRows(rows, scan)
	if err != nil {
		return nil, fmt.Errorf("list %ss: %w", payment, err)
	}
	return page, nil
}
