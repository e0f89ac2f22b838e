package ledger

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/walletctl/walletctl/walletcore"
)

// lockAll takes the locks of the first round trip: the operations in the order
// of their hashes, before any wallet is looked at, then the wallets by id. A
// wallet that moved while a lock was waited for is read anew; one born
// meanwhile is missing, and then the attempt is made again. Amounts travel as
// whole numbers of 0.00000001: exact, and cheap on both sides.
const lockAll = `
with operations as materialized (
  select count(pg_advisory_xact_lock(hash)) as locked
  from unnest($1::bigint[]) as hash)
select id, seq, (real * 100000000)::bigint, (bonus * 100000000)::bigint, head, frozen
from gaming.wallets
where id = any($2::uuid[]) and (select locked from operations) >= 0
order by id
for update`

// balance is where a wallet stands, as locked and then as decided.
type balance struct {
	walletcore.Parts
	seq    int64
	head   [walletcore.HashSize]byte
	frozen bool
	debt   bool // a movement may leave it below zero
}

// state is what the first round trip saw, under the locks, and then what was
// decided on top of it.
type state struct {
	now      time.Time
	balances map[[16]byte]*balance
	known    map[key]*known
	owners   map[key]walletcore.WalletKey // of global keys that another wallet holds
	brands   map[string]*brand
	rounds   *rounds
}

// lockAndLook takes the locks of a batch in the one lock order, then reads what
// is there, in statements of their own.
func lockAndLook(ctx context.Context, conn *pgxpool.Conn, b *batch) (*state, error) {
	s := &state{
		balances: make(map[[16]byte]*balance, len(b.wallets)),
		known:    make(map[key]*known, len(b.keys)),
		brands:   map[string]*brand{},
		rounds:   newRounds(),
	}
	holders := make([]*[16]byte, len(b.keys))
	pipeline := &pgx.Batch{}
	pipeline.Queue("begin")
	pipeline.Queue(lockAll, b.operations, b.wallets).Query(s.readBalances)
	ids, kinds, externalIDs := lookupArguments(b.keys)
	pipeline.Queue(findKnown, ids, kinds, externalIDs, b.keyBrands).Query(func(rows pgx.Rows) error {
		return s.readKnown(rows, b, holders)
	})
	s.rounds.queue(pipeline, b)
	if err := conn.SendBatch(ctx, pipeline).Close(); err != nil {
		return nil, err
	}
	return s, s.findOwners(ctx, conn, b, holders)
}

func (s *state) readBalances(rows pgx.Rows) error {
	for rows.Next() {
		var id [16]byte
		var seq, real, bonus int64
		var head []byte
		var frozen bool
		if err := rows.Scan(&id, &seq, &real, &bonus, &head, &frozen); err != nil {
			return err
		}
		s.balances[id] = &balance{
			Parts: parts(real, bonus), seq: seq, head: [walletcore.HashSize]byte(head), frozen: frozen,
		}
	}
	return rows.Err()
}

func parts(real, bonus int64) walletcore.Parts {
	return walletcore.Parts{Real: walletcore.MoneyFromUnits(real), Bonus: walletcore.MoneyFromUnits(bonus)}
}
