package replay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/walletctl/walletctl/walletcore/pgtx"
)

// Case is work for a person. Times are UTC.
type Case struct {
	Ref        Ref             `json:"ref"`
	Brand      string          `json:"brand"`
	Subject    Subject         `json:"subject"`
	Kind       string          `json:"kind"`
	Cause      string          `json:"cause"` // the message or the attempt that opened it
	Detail     json.RawMessage `json:"detail"`
	OpenedAt   time.Time       `json:"opened_at"`
	Owner      string          `json:"owner"` // a login; empty where nobody sees to it
	ClaimedAt  *time.Time      `json:"claimed_at"`
	ClosedAt   *time.Time      `json:"closed_at"`
	Resolution string          `json:"resolution"`
	ResolvedBy string          `json:"resolved_by"` // a login; empty where the subject's progress closed it
}

const selectCase = `
select id, brand_id, subject_type, subject_id, kind::text, cause, detail, opened_at,
  coalesce(owner, ''), claimed_at, closed_at, coalesce(resolution, ''), coalesce(resolved_by, '')
from %s.cases`

func scanCase(schema string) pgx.RowToFunc[Case] {
	return func(row pgx.CollectableRow) (Case, error) {
		c := Case{Ref: Ref{Schema: schema}}
		err := row.Scan(&c.Ref.Number, &c.Brand, &c.Subject.Type, &c.Subject.ID, &c.Kind, &c.Cause, &c.Detail,
			&c.OpenedAt, &c.Owner, &c.ClaimedAt, &c.ClosedAt, &c.Resolution, &c.ResolvedBy)
		pgtx.UTC(&c.OpenedAt, c.ClaimedAt, c.ClosedAt)
		return c, err
	}
}

// Case returns one case. ErrNotFound where there is none.
func (d *Desk) Case(ctx context.Context, ref Ref) (Case, error) {
	pool, err := d.of(ref.Schema)
	if err != nil {
		return Case{}, err
	}
	rows, err := pool.Query(ctx, fmt.Sprintf(selectCase, ref.Schema)+` where id = $1`, ref.Number)
	if err != nil {
		return Case{}, fmt.Errorf("read case %s: %w", ref, err)
	}
	c, err := pgx.CollectExactlyOneRow(rows, scanCase(ref.Schema))
	if errors.Is(err, pgx.ErrNoRows) {
		return Case{}, ErrNotFound
	}
	if err != nil {
		return Case{}, fmt.Errorf("read case %s: %w", ref, err)
	}
	return c, nil
}
