package adjust

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/walletctl/walletctl/walletcore/pgtx"
)

// Record is an adjustment with everything that was done about it.
type Record struct {
	Adjustment
	Steps []Step `json:"steps"`
}

const oldestFirst = `
order by a.requested_at, a.id`

// auditPart is how many adjustments' steps are read by one statement.
const auditPart = 1000

// Audit returns every adjustment that the filter selects, however many, the
// oldest first, as of one moment. The filter's limit does not count.
func (d *Desk) Audit(ctx context.Context, f Filter) ([]Record, error) {
	if err := f.Validate(); err != nil {
		return nil, err
	}
	tx, err := d.Pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return nil, fmt.Errorf("read adjustments: %w", err)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	found, err := query(ctx, tx, selectAdjustment+matching+oldestFirst, f.arguments()...)
	if err != nil {
		return nil, err
	}
	records := make([]Record, len(found))
	for i := range found {
		records[i].Adjustment = found[i]
	}
	for first := 0; first < len(records); first += auditPart {
		if err := addSteps(ctx, tx, records[first:min(first+auditPart, len(records))]); err != nil {
			return nil, err
		}
	}
	return records, nil
}

func addSteps(ctx context.Context, db pgtx.Querier, records []Record) error {
	ids := make([]string, len(records))
	for i := range records {
		ids[i] = records[i].ID
	}
	steps, err := readSteps(ctx, db, ids)
	for i := range records {
		records[i].Steps = steps[records[i].ID]
	}
	return err
}
