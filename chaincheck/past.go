package chaincheck

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/pgtx"
)

// Past says what was found below the live chains: the older history that
// backfill brought in.
type Past struct {
	Wallets    int64     `json:"wallets"` // that have a history
	Parts      int64     `json:"parts"`
	Entries    int64     `json:"entries"`
	Verified   int64     `json:"hashes_verified"`
	Unverified int64     `json:"hashes_not_verified"`
	Findings   []Finding `json:"findings"`
}

// PastOptions say whose history is followed. The zero value is everybody's.
type PastOptions struct {
	Brand  string
	Wallet uuid.UUID
	// WrittenSince leaves out the wallets whose history came in before.
	WrittenSince time.Time

	// retry repeats what recovery broke off; nil: nothing is repeated.
	retry func(ctx context.Context, step func() error) error
}

// Querier is a pool, a connection or a transaction.
type Querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// pastWallets is how many wallets one statement reads.
const pastWallets = 500

// FollowPast follows the history of each wallet from its first movement up to
// the entry that opened the live chain: seqs, balances, directions, hashes, the
// part that each entry belongs to, and the seal that the live chain holds of
// it. keys may be nil: hashes are then not verified.
func FollowPast(ctx context.Context, db Querier, keys *walletcore.Keyring, o PastOptions) (Past, error) {
	f := &pastWalk{verifier: newVerifier(keys), past: Past{Findings: []Finding{}}}
	if o.retry == nil {
		o.retry = func(_ context.Context, step func() error) error { return step() }
	}
	after, more := uuid.UUID{}, true
	if o.Wallet == uuid.Nil && o.WrittenSince.IsZero() {
		if err := o.retry(ctx, func() (err error) { more, err = hasPast(ctx, db); return err }); err != nil {
			return f.past, err
		}
	}
	for more {
		before := f.past
		err := o.retry(ctx, func() (err error) {
			f.past = before
			after, more, err = f.wallets(ctx, db, o, after)
			return err
		})
		if err != nil {
			return f.past, err
		}
	}
	return f.past, nil
}

// pastWalk follows histories, one wallet after the other.
type pastWalk struct {
	verifier *verifier
	past     Past
	parts    map[uuid.UUID][]pastPart
	entry    walletcore.Entry
	prev     standing
	begun    bool // prev is an entry of the same wallet
}

// selectPast names the next wallets that have anything below seq 0, or should.
const selectPast = `
select w.id, w.brand_id, w.user_id, w.currency
from gaming.wallets w
where w.id > $1 and ($2 = '' or w.brand_id = $2) and ($3::uuid is null or w.id = $3)
  and (exists (select from gaming.entries e where e.wallet_id = w.id and e.seq < 0)
    or exists (select from gaming.history_parts h where h.wallet_id = w.id)
    or exists (select from gaming.entries s where s.wallet_id = w.id and s.kind = 'history_seal'))
order by w.id
limit $4`

// selectWritten names those that got it since some time. What is selected from
// entries is what no backfill wrote; the index on their time finds it.
const selectWritten = `
select w.id, w.brand_id, w.user_id, w.currency
from gaming.wallets w
where w.id > $1 and ($2 = '' or w.brand_id = $2) and ($3::uuid is null or w.id = $3)
  and w.id in (
    select h.wallet_id from gaming.history_parts h where h.written_at >= $5
    union
    select e.wallet_id from gaming.entries e where e.recorded_at >= $5 and e.seq < 0)
order by w.id
limit $4`

// anyPast is one pass over the table, where asking each wallet would be many.
const anyPast = `
select exists (select from gaming.history_parts)
  or exists (select from gaming.entries where seq < 0 or kind = 'history_seal')`

func hasPast(ctx context.Context, db Querier) (bool, error) {
	rows, err := db.Query(ctx, anyPast)
	if err != nil {
		return false, err
	}
	return pgx.CollectExactlyOneRow(rows, pgx.RowTo[bool])
}

// wallets follows the next wallets behind an id, and returns the last of them.
func (f *pastWalk) wallets(ctx context.Context, db Querier, o PastOptions, after uuid.UUID) (last uuid.UUID, more bool, err error) {
	query, arguments := selectPast, []any{after, o.Brand, pgtx.OrNull(o.Wallet), pastWallets}
	if !o.WrittenSince.IsZero() {
		query, arguments = selectWritten, append(arguments, o.WrittenSince)
	}
	rows, err := db.Query(ctx, query, arguments...)
	if err != nil {
		return after, false, err
	}
	heads, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (h head, err error) {
		return h, row.Scan(&h.id, &h.key.Brand, &h.key.User, &h.key.Currency)
	})
	if err != nil || len(heads) == 0 {
		return after, false, err
	}
	if err := f.readParts(ctx, db, heads); err != nil {
		return after, true, err
	}
	if err := errors.Join(f.readEntries(ctx, db, heads), f.readLoneSeals(ctx, db, heads)); err != nil {
		return after, true, err
	}
	return heads[len(heads)-1].id, true, nil
}

func ids(heads []head) []uuid.UUID {
	list := make([]uuid.UUID, len(heads))
	for i := range heads {
		list[i] = heads[i].id
	}
	return list
}

const selectPastEntries = `
select e.wallet_id, e.seq, e.kind::text, e.external_id, coalesce(e.mark::text, ''), e.real_before, e.real_after, e.bonus_before,
  e.bonus_after, coalesce(e.reference, ''), coalesce(e.round_id, ''), e.actor, coalesce(e.details::text, ''), e.occurred_at,
  e.recorded_at, e.hash, e.key_id
from unnest($1::uuid[]) w (id)
join gaming.entries e on e.wallet_id = w.id and e.seq <= 0
order by e.wallet_id, e.seq`

func (f *pastWalk) readEntries(ctx context.Context, db Querier, heads []head) error {
	rows, err := db.Query(ctx, selectPastEntries, ids(heads))
	if err != nil {
		return err
	}
	defer rows.Close()
	at := -1
	for rows.Next() {
		e := &f.entry
		var hash []byte
		var details string
		if err := rows.Scan(&e.WalletID, &e.Seq, &e.Kind, &e.ExternalID, &e.Mark, &e.RealBefore, &e.RealAfter, &e.BonusBefore,
			&e.BonusAfter, &e.Reference, &e.RoundID, &e.Actor, &details, &e.OccurredAt, &e.RecordedAt, &hash, &e.KeyID); err != nil {
			return err
		}
		e.Details = []byte(details)
		copy(e.Hash[:], hash)
		for at < 0 || heads[at].id != e.WalletID {
			f.finish()
			at++
			f.begin(&heads[at])
		}
		f.take()
	}
	f.finish()
	return rows.Err()
}

func (f *pastWalk) begin(h *head) {
	f.verifier.turnTo(h)
	f.begun = false
	f.prev = standing{}
	f.past.Wallets++
}

// finish keeps the findings of the wallet that was followed.
func (f *pastWalk) finish() {
	v := f.verifier
	if v.head == nil {
		return
	}
	f.past.Findings = append(f.past.Findings, v.findings...)
	f.past.Verified += v.verified
	f.past.Unverified += v.unverified
	v.head, v.findings, v.verified, v.unverified = nil, nil, 0, 0
}

// take follows the next entry, up to the one at seq 0.
func (f *pastWalk) take() {
	v, e := f.verifier, &f.entry
	linked := f.begun && e.Seq == f.prev.seq+1
	if f.begun && !linked {
		v.addMissing(e, f.prev.seq+1)
	}
	v.head.link = link{prev: f.prev, read: f.begun, linked: linked}
	v.checkBalances(e, linked)
	if e.Seq == 0 {
		f.requireJoin()
		return
	}
	f.past.Entries++
	if !mayHaveMoved(e) {
		v.addDirection(e)
	}
	f.checkPart()
	f.prev = standing{seq: e.Seq, hash: e.Hash, real: e.RealAfter, bonus: e.BonusAfter}
	f.begun = true
}

// mayHaveMoved is MayMove for the older history, whose adjustments were made by
// other rules.
func mayHaveMoved(e *walletcore.Entry) bool {
	if e.Kind == walletcore.KindAdjustment {
		return e.Moved() != walletcore.Parts{}
	}
	return e.Kind.MayMove(e.Moved())
}

// requireJoin wants the history to reach up to the live chain.
func (f *pastWalk) requireJoin() {
	if f.begun && f.prev.seq == -1 {
		return
	}
	if !f.begun {
		f.verifier.add(KindHistory, -1, "an entry below the opening", "none", "the part tells of a history that is gone")
	}
}

// checkPart looks at an entry as a member of its part.
func (f *pastWalk) checkPart() {
	v, e := f.verifier, &f.entry
	var part *pastPart
	parts := f.parts[e.WalletID]
	for i := range parts {
		if e.Seq >= parts[i].first && e.Seq <= parts[i].last {
			part = &parts[i]
		}
	}
	if part == nil {
		v.add(KindHistory, e.Seq, "a part of a backfill that brought it in", "none", place(e))
		return
	}
	if !f.begun && e.Seq != part.first {
		v.add(KindHistory, part.first, fmt.Sprintf("a history from seq %d", part.first), fmt.Sprintf("seq %d first", e.Seq), place(e))
	}
	if e.Seq == part.first {
		v.head.prev.hash = [walletcore.HashSize]byte{} // each part's hashes begin anew
		if part.whole && (!e.RealBefore.IsZero() || !e.BonusBefore.IsZero()) {
			v.addAmounts(KindArithmetic, e.Seq, walletcore.Money{}, e.RealBefore.Add(e.BonusBefore), "the first movement begins at zero")
		}
	}
	v.checkHash(e, v.head.linked || e.Seq == part.first)
	if e.Seq == part.last {
		f.checkSeal(part)
	}
}
