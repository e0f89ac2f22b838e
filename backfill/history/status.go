package history

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Status says how far an import is.
type Status struct {
	ID        uuid.UUID  `json:"id"`
	Brand     string     `json:"brand"`
	Mapping   string     `json:"mapping"`
	Since     *time.Time `json:"since"`
	Until     *time.Time `json:"until"`
	StartedAt time.Time  `json:"started_at"`
	StartedBy string     `json:"started_by"`
	Host      string     `json:"host"`
	EndedAt   *time.Time `json:"ended_at"` // null: it was stopped, or is running
	Running   bool       `json:"running"`  // some run of this brand is
	Wallets   int64      `json:"wallets_written"`
	Rows      int64      `json:"rows_written"`
	Refused   int64      `json:"wallets_refused"`
}

const listStatus = `
select i.id, i.brand_id, i.source, i.since, i.until, i.started_at, i.started_by, i.host, e.ended_at,
  exists (
    select from pg_locks l
    where l.locktype = 'advisory' and l.granted
      and ((l.classid::bigint << 32) | l.objid::bigint) = hashtextextended('walletctl backfill history ' || i.brand_id, 0)),
  p.wallets, p.rows, (
    select count(*)
    from gaming.history_refusals r
    where r.import_id = i.id and not exists (
      select from gaming.history_parts h where h.wallet_id = r.wallet_id and h.written_at > r.refused_at))
from gaming.history_imports i
left join gaming.history_ends e on e.import_id = i.id
cross join lateral (
  select count(*) as wallets, coalesce(sum(h.rows), 0)::bigint as rows
  from gaming.history_parts h
  where h.import_id = i.id) p
where $1 = '' or i.brand_id = $1
order by i.started_at desc`

// List returns the imports of a brand, or with an empty one all, the newest
// first.
func List(ctx context.Context, pool *pgxpool.Pool, brand string) ([]Status, error) {
	rows, err := pool.Query(ctx, listStatus, brand)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Status])
}
