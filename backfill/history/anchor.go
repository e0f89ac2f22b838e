package history

import (
	"bytes"
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/walletctl/walletctl/walletcore"
)

// anchors reads the lowest entry of each wallet, and when its chain was opened.
// Negative seqs stand before 0 in the primary key: both are one step each.
const anchors = `
select w.id, l.seq, l.real_before, l.bonus_before, o.occurred_at,
  (select array_agg(h.import_id) from gaming.history_parts h where h.wallet_id = w.id),
  (select array_agg(h.content) from gaming.history_parts h where h.wallet_id = w.id)
from unnest($1::uuid[]) w (id)
cross join lateral (
  select e.seq, e.real_before, e.bonus_before
  from gaming.entries e
  where e.wallet_id = w.id
  order by e.seq
  limit 1) l
join gaming.entries o on o.wallet_id = w.id and o.seq = 0`

// querier is a pool, a connection or a transaction.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// readAnchors returns what the ledger holds of some wallets.
func readAnchors(ctx context.Context, db querier, wallets []uuid.UUID) (map[uuid.UUID]anchor, error) {
	found := make(map[uuid.UUID]anchor, len(wallets))
	rows, err := db.Query(ctx, anchors, wallets)
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		var id uuid.UUID
		a := anchor{known: true}
		if err := rows.Scan(&id, &a.seq, &a.real, &a.bonus, &a.opened, &a.imports, &a.contents); err != nil {
			rows.Close()
			return nil, err
		}
		found[id] = a
	}
	return found, rows.Err()
}

// has reports whether the ledger has this history of the wallet already, and
// whether another import brought it in.
func (a *anchor) has(g *group, run uuid.UUID) (done, elsewhere bool) {
	content := g.digest()
	for i := range a.contents {
		if bytes.Equal(a.contents[i], content) {
			return true, a.imports[i] != run
		}
	}
	return false, false
}

const lockWallets = `
select id, seq, head, real, bonus
from gaming.wallets
where id = any($1)
order by id
for update`

// standing is where a live chain stands, with its wallet locked.
type standing struct {
	seq         int64
	head        [walletcore.HashSize]byte
	real, bonus walletcore.Money
}

// lock locks wallets in the order of their ids, as posting does.
func lock(ctx context.Context, tx pgx.Tx, wallets []uuid.UUID) (map[uuid.UUID]standing, error) {
	found := make(map[uuid.UUID]standing, len(wallets))
	rows, err := tx.Query(ctx, lockWallets, wallets)
	if err != nil {
		return nil, err
	}
	var id uuid.UUID
	var s standing
	var head []byte
	_, err = pgx.ForEachRow(rows, []any{&id, &s.seq, &head, &s.real, &s.bonus}, func() error {
		copy(s.head[:], head)
		found[id] = s
		return nil
	})
	return found, err
}

// clock is read with the locks held.
func clock(ctx context.Context, tx pgx.Tx) (now time.Time, err error) {
	err = tx.QueryRow(ctx, `select clock_timestamp()`).Scan(&now)
	return now.UTC().Truncate(time.Microsecond), err
}

const brandState = `
select state::text
from gaming.brands
where brand_id = $1`

// requireOpen returns ErrClosed where the brand's wallets are not in.
func requireOpen(ctx context.Context, pool *pgxpool.Pool, brand string) error {
	rows, err := pool.Query(ctx, brandState, brand)
	if err != nil {
		return err
	}
	states, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	if len(states) == 0 || states[0] == "closed" {
		return ErrClosed
	}
	return nil
}
