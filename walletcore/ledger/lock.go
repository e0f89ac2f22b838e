package ledger

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/walletctl/walletctl/walletcore"
)

// The statements of the first round trip. Amounts travel as whole numbers of
// 0.00000001: exact, and cheap on both sides.
const (
	lockOperations = `
select pg_advisory_xact_lock(hash)
from unnest($1::bigint[]) as hash`

	lockWallets = `
select id, seq, (real * 100000000)::bigint, (bonus * 100000000)::bigint, head
from gaming.wallets
where id = any($1::uuid[])
order by id
for update`

	// findExisting has a row for each movement, and so always the clock.
	findExisting = `
select clock_timestamp(), receipt.wallet_id,
  e.seq, (e.real_before * 100000000)::bigint, (e.real_after * 100000000)::bigint,
  (e.bonus_before * 100000000)::bigint, (e.bonus_after * 100000000)::bigint, e.recorded_at
from unnest($1::uuid[], $2::text[]::gaming.movement_kind[], $3::text[])
  with ordinality as m (wallet_id, kind, external_id, place)
left join lateral (
  select *
  from gaming.entries
  where wallet_id = m.wallet_id and kind = m.kind and external_id = m.external_id
  limit 1) e on true
left join lateral (
  select wallet_id
  from gaming.receipts
  where kind = m.kind and external_id = m.external_id
  limit 1) receipt on true
order by m.place`

	findOwner = `
select brand_id, user_id, currency
from gaming.wallets
where id = $1`
)

// balance is where a wallet stands, as locked and then as decided.
type balance struct {
	seq   int64
	real  walletcore.Money
	bonus walletcore.Money
	head  [walletcore.HashSize]byte
}

// existing is what the ledger holds under a movement's key.
type existing struct {
	receipt *walletcore.Receipt   // of the same wallet
	owner   *walletcore.WalletKey // another wallet that holds the key, where kinds are global
}

// state is what the first round trip saw, under the locks.
type state struct {
	now      time.Time
	balances map[[16]byte]*balance
	existing []existing // by the movements' places
}

// lockAndLook takes the locks of a request in the one lock order, then reads
// what is there.
func lockAndLook(ctx context.Context, conn *pgxpool.Conn, r *request) (*state, error) {
	s := &state{balances: make(map[[16]byte]*balance, len(r.wallets)), existing: make([]existing, len(r.movements))}
	holders := make([]*[16]byte, len(r.movements))
	ids, kinds, externalIDs := lookupArguments(r)

	batch := &pgx.Batch{}
	batch.Queue("begin")
	if len(r.operations) > 0 {
		batch.Queue(lockOperations, r.operations)
	}
	batch.Queue(lockWallets, r.wallets).Query(s.readBalances)
	batch.Queue(findExisting, ids, kinds, externalIDs).Query(func(rows pgx.Rows) error {
		return s.readExisting(rows, r, holders)
	})
	if err := conn.SendBatch(ctx, batch).Close(); err != nil {
		return nil, err
	}
	return s, s.findOwners(ctx, conn, r, holders)
}

func lookupArguments(r *request) (ids [][16]byte, kinds, externalIDs []string) {
	for _, k := range r.keys {
		ids = append(ids, k.wallet)
		kinds = append(kinds, string(k.kind))
		externalIDs = append(externalIDs, k.externalID)
	}
	return ids, kinds, externalIDs
}

func (s *state) readBalances(rows pgx.Rows) error {
	for rows.Next() {
		var id [16]byte
		var seq, real, bonus int64
		var head []byte
		if err := rows.Scan(&id, &seq, &real, &bonus, &head); err != nil {
			return err
		}
		s.balances[id] = &balance{
			seq: seq, real: walletcore.MoneyFromUnits(real), bonus: walletcore.MoneyFromUnits(bonus),
			head: [walletcore.HashSize]byte(head),
		}
	}
	return rows.Err()
}

func (s *state) readExisting(rows pgx.Rows, r *request, holders []*[16]byte) error {
	for i := 0; rows.Next(); i++ {
		var seq, realBefore, realAfter, bonusBefore, bonusAfter *int64
		var recordedAt *time.Time
		err := rows.Scan(&s.now, &holders[i], &seq, &realBefore, &realAfter, &bonusBefore, &bonusAfter, &recordedAt)
		if err != nil {
			return err
		}
		if seq == nil {
			continue
		}
		s.existing[i].receipt = &walletcore.Receipt{
			WalletID: r.keys[i].wallet, Seq: *seq, Kind: r.keys[i].kind, ExternalID: r.keys[i].externalID,
			RealBefore:  walletcore.MoneyFromUnits(*realBefore),
			RealAfter:   walletcore.MoneyFromUnits(*realAfter),
			BonusBefore: walletcore.MoneyFromUnits(*bonusBefore),
			BonusAfter:  walletcore.MoneyFromUnits(*bonusAfter),
			RecordedAt:  recordedAt.UTC(),
		}
	}
	return rows.Err()
}

// findOwners reads whose the wallets are that hold a key which came for
// another one. It costs a round trip only then.
func (s *state) findOwners(ctx context.Context, conn *pgxpool.Conn, r *request, holders []*[16]byte) error {
	for i, holder := range holders {
		if holder == nil || *holder == [16]byte(r.keys[i].wallet) {
			continue
		}
		owner := &walletcore.WalletKey{}
		err := conn.QueryRow(ctx, findOwner, *holder).Scan(&owner.Brand, &owner.User, &owner.Currency)
		if err != nil {
			return err
		}
		s.existing[i].owner = owner
	}
	return nil
}
