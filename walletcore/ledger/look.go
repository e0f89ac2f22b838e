package ledger

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/walletctl/walletctl/walletcore"
)

const (
	// findKnown has a row for each key, and so always the clock, and the state
	// of each brand: a statement of its own would cost more.
	findKnown = `
select clock_timestamp(), receipt.wallet_id,
  e.seq, (e.real_before * 100000000)::bigint, (e.real_after * 100000000)::bigint,
  (e.bonus_before * 100000000)::bigint, (e.bonus_after * 100000000)::bigint, e.recorded_at,
  e.mark::text, e.round_id, b.state::text, b.frozen
from unnest($1::uuid[], $2::text[]::gaming.movement_kind[], $3::text[], $4::text[])
  with ordinality as k (wallet_id, kind, external_id, brand_id, place)
left join lateral (
  select *
  from gaming.entries
  where wallet_id = k.wallet_id and kind = k.kind and external_id = k.external_id
  limit 1) e on true
left join lateral (
  select wallet_id
  from gaming.receipts
  where kind = k.kind and external_id = k.external_id
  limit 1) receipt on true
left join lateral (
  select state, frozen
  from gaming.brands
  where brand_id = k.brand_id
  limit 1) b on true
order by k.place`

	findOwner = `
select brand_id, user_id, currency
from gaming.wallets
where id = $1`
)

// known is an entry under a key: found, or decided earlier in the batch.
type known struct {
	receipt walletcore.Receipt
	roundID string
}

func lookupArguments(keys []key) (ids [][16]byte, kinds, externalIDs []string) {
	for _, k := range keys {
		ids = append(ids, k.wallet)
		kinds = append(kinds, string(k.kind))
		externalIDs = append(externalIDs, k.externalID)
	}
	return ids, kinds, externalIDs
}

func (s *state) readKnown(rows pgx.Rows, b *batch, holders []*[16]byte) error {
	for i := 0; rows.Next(); i++ {
		var seq, realBefore, realAfter, bonusBefore, bonusAfter *int64
		var recordedAt *time.Time
		var mark, round, brandState *string
		var frozen *bool
		err := rows.Scan(&s.now, &holders[i], &seq, &realBefore, &realAfter, &bonusBefore, &bonusAfter, &recordedAt,
			&mark, &round, &brandState, &frozen)
		if err != nil {
			return err
		}
		s.readBrand(b.keyBrands[i], brandState, frozen)
		if seq == nil {
			continue
		}
		k := b.keys[i]
		s.known[k] = &known{roundID: text(round), receipt: walletcore.Receipt{
			WalletID: k.wallet, Seq: *seq, Kind: k.kind, ExternalID: k.externalID, Mark: walletcore.Mark(text(mark)),
			RealBefore: walletcore.MoneyFromUnits(*realBefore), RealAfter: walletcore.MoneyFromUnits(*realAfter),
			BonusBefore: walletcore.MoneyFromUnits(*bonusBefore), BonusAfter: walletcore.MoneyFromUnits(*bonusAfter),
			RecordedAt: recordedAt.UTC(),
		}}
	}
	return rows.Err()
}

// findOwners reads whose the wallets are that hold a key which came for
// another one. It costs a round trip only then.
func (s *state) findOwners(ctx context.Context, conn *pgxpool.Conn, b *batch, holders []*[16]byte) error {
	s.owners = map[key]walletcore.WalletKey{}
	for i, holder := range holders {
		if holder == nil || *holder == [16]byte(b.keys[i].wallet) {
			continue
		}
		var owner walletcore.WalletKey
		err := conn.QueryRow(ctx, findOwner, *holder).Scan(&owner.Brand, &owner.User, &owner.Currency)
		if err != nil {
			return err
		}
		s.owners[b.keys[i]] = owner
	}
	return nil
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
