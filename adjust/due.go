package adjust

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/walletctl/walletctl/walletcore/pgtx"
)

const mostDue = 500

// What is approved and has neither entry nor end, of what was asked for in a
// part of time. What is ended, nearly all of it, is told by keys alone, before
// a state is worked out: the statement has to fit its time however many there
// were. Scalar subqueries, since as a join the plan may read all of the ledger.
const selectDue = `
with left_over as materialized (
  select a.id, a.requested_at
  from gaming.adjustments a
  where a.requested_at >= $1 and a.requested_at < $2
    and (
      select e.seq
      from gaming.entries e
      where e.wallet_id = a.wallet_id and e.kind = 'adjustment' and e.external_id = a.id) is null
    and (
      select s.id
      from gaming.adjustment_steps s
      where s.adjustment_id = a.id and s.step in ('rejected', 'cancelled', 'refused')) is null)
select id
from left_over
where gaming.is_approved(id)
order by requested_at, id
limit $3`

// partOfTime is how much of the past one statement looks at. Nothing is approved
// that was asked for more than 30 days ago, so only what no gaming could post
// for as long again is older.
const partOfTime = 60 * 24 * time.Hour

// readDue returns what is approved, the oldest first, at most mostDue of each part
// of time; all goes back to the first request.
func readDue(ctx context.Context, db pgtx.Querier, all bool) ([]Adjustment, error) {
	var now time.Time
	var first *time.Time
	const times = `select clock_timestamp(), (select min(requested_at) from gaming.adjustments)`
	if err := db.QueryRow(ctx, times).Scan(&now, &first); err != nil || first == nil {
		return nil, actError("read adjustments", err)
	}
	from, until := now.Add(-partOfTime), now.Add(partOfTime)
	ids, err := dueBetween(ctx, db, from, until)
	for all && err == nil && from.After(*first) {
		var older []string
		from, until = from.Add(-partOfTime), from
		older, err = dueBetween(ctx, db, from, until)
		ids = append(older, ids...)
	}
	if err != nil || len(ids) == 0 {
		return nil, actError("read adjustments", err)
	}
	return query(ctx, db, selectAdjustment+`
where a.id = any($1) and s.state = 'approved'
order by a.requested_at, a.id`, ids)
}

func dueBetween(ctx context.Context, db pgtx.Querier, from, until time.Time) ([]string, error) {
	rows, err := db.Query(ctx, selectDue, from, until, mostDue)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}
