package replay

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Where a movement is: by the receipts, whose key is over all wallets, and in
// the wallets that are given. Both are found by key: no index leads from an
// external id alone to its entries, and a ledger is not read from end to end.
const selectMovement = `
select e.wallet_id, e.seq
from gaming.receipts r
join gaming.entries e on e.wallet_id = r.wallet_id and e.seq = r.seq
where r.kind = any (enum_range(null::gaming.movement_kind)) and r.external_id = $1
union
select e.wallet_id, e.seq
from gaming.entries e
where e.wallet_id = any ($2::uuid[]) and e.kind = any (enum_range(null::gaming.movement_kind)) and e.external_id = $1`

const selectMovementEntries = `
select e.recorded_at, 'gaming', 'entry: ' || e.kind::text || coalesce(' (' || e.mark::text || ')', ''),
  concat_ws(', ', format('real %s -> %s, bonus %s -> %s, wallet %s seq %s', e.real_before, e.real_after, e.bonus_before,
    e.bonus_after, e.wallet_id, e.seq), 'round ' || e.round_id), e.actor, coalesce(e.reference, '')
from unnest($1::uuid[], $2::bigint[]) at (wallet_id, seq)
join gaming.entries e on e.wallet_id = at.wallet_id and e.seq = at.seq`

const selectMovementWallets = `
select format('wallet %s', id), concat_ws(' / ', brand_id, user_id, currency)
from gaming.wallets
where id = any ($1::uuid[])
order by id`

// ExplainMovement tells what is known about an external id of the ledger, such
// as games:tx-1: every entry under it, in every wallet that has a receipt of it
// and in those that are given. ErrNotFound where there is none; a game's
// movement without a receipt is found only in a wallet that is given.
func (d *Desk) ExplainMovement(ctx context.Context, externalID string, wallets ...uuid.UUID) (Story, error) {
	pool, err := d.of("gaming")
	if err != nil {
		return Story{}, err
	}
	t := newTeller(d, Subject{Type: Movement, ID: externalID})
	found, seqs, err := places(ctx, pool, externalID, wallets)
	if err != nil {
		t.miss("entries", err)
	}
	if len(found) > 0 {
		t.know("wallets", func() ([]Fact, error) { return walletNames(ctx, pool, found) })
		t.tell(ctx, part{name: "entries", schema: "gaming", query: selectMovementEntries}, found, seqs)
	}
	t.tell(ctx, part{name: "cases", schema: "gaming", query: selectLedgerCases}, externalID, Movement)
	return t.end()
}

// places are the wallets and seqs of the entries under an external id.
func places(ctx context.Context, pool *pgxpool.Pool, externalID string, wallets []uuid.UUID) (found []uuid.UUID, seqs []int64, err error) {
	if wallets == nil {
		wallets = []uuid.UUID{}
	}
	rows, err := pool.Query(ctx, selectMovement, externalID, wallets)
	if err != nil {
		return nil, nil, err
	}
	var wallet uuid.UUID
	var seq int64
	_, err = pgx.ForEachRow(rows, []any{&wallet, &seq}, func() error {
		found, seqs = append(found, wallet), append(seqs, seq)
		return nil
	})
	return found, seqs, err
}

func walletNames(ctx context.Context, pool *pgxpool.Pool, ids []uuid.UUID) ([]Fact, error) {
	rows, err := pool.Query(ctx, selectMovementWallets, ids)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (Fact, error) {
		var f Fact
		return f, row.Scan(&f.Name, &f.Value)
	})
}
