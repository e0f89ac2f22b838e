package backfill

import (
	"cmp"
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/walletctl/walletctl/walletcore"
)

// seen is what is there, with a share of the brand held: it goes live behind
// this transaction or before it, never in between.
type seen struct {
	state  walletcore.BrandState
	now    time.Time
	login  string
	inside map[uuid.UUID]walletcore.Parts // what each wallet came in with
}

const (
	holdBrand  = `select gaming.hold_brand($1, false)::text, clock_timestamp(), session_user::text`
	findInside = `
select wallet_id, (real_after * 100000000)::bigint, (bonus_after * 100000000)::bigint
from gaming.entries
where wallet_id = any($1::uuid[]) and seq = 0`
)

func (r *bringing) look(ctx context.Context, tx pgx.Tx, ids []uuid.UUID) (*seen, error) {
	s := &seen{inside: map[uuid.UUID]walletcore.Parts{}}
	pipeline := &pgx.Batch{}
	pipeline.Queue(holdBrand, r.o.Brand).QueryRow(func(row pgx.Row) error {
		return row.Scan(&s.state, &s.now, &s.login)
	})
	pipeline.Queue(findInside, ids).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			var id uuid.UUID
			var real, bonus int64
			if err := rows.Scan(&id, &real, &bonus); err != nil {
				return err
			}
			s.inside[id] = walletcore.Parts{Real: walletcore.MoneyFromUnits(real), Bonus: walletcore.MoneyFromUnits(bonus)}
		}
		return rows.Err()
	})
	return s, tx.SendBatch(ctx, pipeline).Close()
}

// A wallet and the entry that opens it, in one statement: the triggers want
// both.
const bringWallets = `
with given as (
  select *
  from unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bytea[], $7::text[])
    as g (id, user_id, currency, real, bonus, hash, reference)
), born as (
  insert into gaming.wallets (id, brand_id, user_id, currency, seq, real, bonus, debt_limit, head)
  select id, $8, user_id, currency, 0, real * 0.00000001, bonus * 0.00000001, greatest(0, - real * 0.00000001), hash
  from given
  order by id
  returning id
)
insert into gaming.entries (
  wallet_id, seq, kind, external_id, real_before, real_after, bonus_before, bonus_after,
  reference, actor, occurred_at, recorded_at, hash, key_id)
select id, 0, 'brought_forward', 'brought_forward', real * 0.00000001, real * 0.00000001, bonus * 0.00000001, bonus * 0.00000001,
  reference, $9, $10, $11, hash, $12
from given
join born using (id)`

// rows are the statement's arrays, a place a wallet.
type rows struct {
	ids               []uuid.UUID
	users, currencies []string
	reals, bonuses    []int64
	hashes            [][]byte
	references        []*string
	first             *walletcore.Entry // what all have in common
}

// add signs the entry that opens a wallet.
func (w *rows) add(r *bringing, id uuid.UUID, b *Balance, s *seen) error {
	entry := &walletcore.Entry{
		WalletID: id, Kind: walletcore.KindBroughtForward, ExternalID: string(walletcore.KindBroughtForward),
		RealBefore: b.Real, RealAfter: b.Real, BonusBefore: b.Bonus, BonusAfter: b.Bonus,
		Reference: b.Position, Actor: s.login,
		OccurredAt: cmp.Or(r.o.AsOf, s.now).UTC().Truncate(time.Microsecond), RecordedAt: s.now.UTC(),
		KeyID: r.o.Keys.Active(),
	}
	hash, err := r.hasher.Sum([walletcore.HashSize]byte{}, entry)
	if err != nil {
		return err
	}
	w.first = entry
	w.ids = append(w.ids, id)
	w.users, w.currencies = append(w.users, b.User), append(w.currencies, b.Currency)
	w.reals, w.bonuses = append(w.reals, b.Real.Units()), append(w.bonuses, b.Bonus.Units())
	w.hashes = append(w.hashes, hash[:])
	var reference *string
	if b.Position != "" {
		reference = &b.Position
	}
	w.references = append(w.references, reference)
	return nil
}

// write ends the transaction.
func (r *bringing) write(ctx context.Context, tx pgx.Tx, w *rows) error {
	if len(w.ids) > 0 {
		_, err := tx.Exec(ctx, bringWallets, w.ids, w.users, w.currencies, w.reals, w.bonuses, w.hashes, w.references,
			r.o.Brand, w.first.Actor, w.first.OccurredAt, w.first.RecordedAt, w.first.KeyID)
		if err != nil {
			return err
		}
	}
	return tx.Commit(ctx)
}
