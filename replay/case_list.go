package replay

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/pgtx"
)

// MaxCases is the most cases that one list returns.
const MaxCases = 10_000

// CaseFilter selects cases. Zero fields select all that are open.
type CaseFilter struct {
	Brand   string
	Kind    string
	Owner   string    // a login; "-" selects those of nobody
	Subject string    // an id
	Since   time.Time // opened at or after
	Until   time.Time // opened before
	Closed  bool      // those that are closed, instead of those that are open
	Limit   int       // 200 by default, MaxCases at the most
}

// Validate refuses a filter that cannot be meant. The error is a
// *walletcore.FieldError.
func (f *CaseFilter) Validate() error {
	if f.Limit < 0 || f.Limit > MaxCases {
		return &walletcore.FieldError{Field: "limit", Reason: fmt.Sprintf("must be between 1 and %d", MaxCases)}
	}
	return nil
}

// The oldest that is open comes first: it has waited longest. Of those that are
// closed, the newest.
const selectCases = selectCase + `
where (closed_at is not null) = $1
  and ($2::text is null or brand_id = $2)
  and ($3::text is null or kind::text = $3)
  and ($4::text is null or coalesce(owner, '-') = $4)
  and ($5::text is null or subject_id = $5)
  and ($6::timestamptz is null or opened_at >= $6)
  and ($7::timestamptz is null or opened_at < $7)
order by %s
limit $8`

// Cases lists the cases of both schemas as one.
func (d *Desk) Cases(ctx context.Context, f CaseFilter) ([]Case, error) {
	if err := f.Validate(); err != nil {
		return nil, err
	}
	if f.Limit == 0 {
		f.Limit = 200
	}
	var all []Case
	for _, schema := range []string{"casino", "gaming"} {
		if d.pool(schema) == nil {
			continue
		}
		some, err := d.casesOf(ctx, schema, f)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	slices.SortStableFunc(all, func(a, b Case) int {
		if f.Closed {
			return b.ClosedAt.Compare(*a.ClosedAt)
		}
		return cmp.Or(a.OpenedAt.Compare(b.OpenedAt), strings.Compare(a.Ref.String(), b.Ref.String()))
	})
	return all[:min(len(all), f.Limit)], nil
}

func (d *Desk) casesOf(ctx context.Context, schema string, f CaseFilter) ([]Case, error) {
	order := "opened_at, id"
	if f.Closed {
		order = "closed_at desc, id desc"
	}
	rows, err := d.pool(schema).Query(ctx, fmt.Sprintf(selectCases, schema, order), f.Closed, pgtx.OrNull(f.Brand),
		pgtx.OrNull(f.Kind), pgtx.OrNull(f.Owner), pgtx.OrNull(f.Subject), pgtx.OrNull(f.Since), pgtx.OrNull(f.Until), f.Limit)
	if err != nil {
		return nil, fmt.Errorf("list cases of %s: %w", schema, err)
	}
	cases, err := pgx.CollectRows(rows, scanCase(schema))
	if err != nil {
		return nil, fmt.Errorf("list cases of %s: %w", schema, err)
	}
	return cases, nil
}
