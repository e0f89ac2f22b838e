package history

import (
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
  coalesce((select max(h.first_seq) from gaming.history_parts h where h.import_id = $2 and h.wallet_id = w.id), 0)
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

// readAnchors returns what the ledger holds of some wallets, and which of them
// this import has written already.
func readAnchors(ctx context.Context, db querier, wallets []uuid.UUID, run uuid.UUID) (map[uuid.UUID]anchor, map[uuid.UUID]bool, error) {
	found, done := make(map[uuid.UUID]anchor, len(wallets)), map[uuid.UUID]bool{}
	rows, err := db.Query(ctx, anchors, wallets, run)
	if err != nil {
		return nil, nil, err
	}
	var id uuid.UUID
	var a anchor
	var written int64
	_, err = pgx.ForEachRow(rows, []any{&id, &a.seq, &a.real, &a.bonus, &a.opened, &written}, func() error {
		a.known = true
		found[id] = a
		done[id] = written < 0
		return nil
	})
	return found, done, err
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
