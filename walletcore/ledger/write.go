package ledger

import (
	"context"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// writePlan moves the balances and writes the entries and receipts in the same
// statement: an entry only where the UPDATE arrived at exactly the balance that
// its wallet's last new entry was signed with. The triggers hold the links
// between.
const writePlan = `
with moved as (
  update gaming.wallets w
  set real = w.real + t.real * 0.00000001, bonus = w.bonus + t.bonus * 0.00000001,
    seq = w.seq + t.movements, head = t.head,
    -- A debt is raised only where the movement may, and lowered by every other.
    debt_limit = case when t.debt then greatest(w.debt_limit, - (w.real + t.real * 0.00000001))
      else least(w.debt_limit, greatest(0, - (w.real + t.real * 0.00000001))) end
  from unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bytea[], $23::boolean[])
    as t (wallet_id, real, bonus, movements, head, debt)
  where w.id = t.wallet_id
  returning w.id, w.seq, w.real, w.bonus
), written as (
  insert into gaming.entries (
    wallet_id, seq, kind, external_id, real_before, real_after, bonus_before, bonus_after,
    reference, round_id, actor, details, occurred_at, recorded_at, hash, key_id, mark)
  select e.wallet_id, e.seq, e.kind, e.external_id,
    e.real_before * 0.00000001, e.real_after * 0.00000001,
    e.bonus_before * 0.00000001, e.bonus_after * 0.00000001,
    e.reference, e.round_id, e.actor, e.details::json, e.occurred_at, $21, e.hash, $22,
    e.mark
  from moved w
  join unnest($6::uuid[], $7::bigint[], $8::text[]::gaming.movement_kind[], $9::text[],
      $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[],
      $14::text[], $15::text[], $16::text[], $17::text[], $18::timestamptz[], $19::bytea[], $20::boolean[],
      $24::text[]::gaming.entry_mark[])
    as e (wallet_id, seq, kind, external_id, real_before, real_after, bonus_before, bonus_after,
      reference, round_id, actor, details, occurred_at, hash, last, mark)
    on e.wallet_id = w.id
  where not e.last or (w.seq = e.seq and w.real = e.real_after * 0.00000001 and w.bonus = e.bonus_after * 0.00000001)
  returning wallet_id, seq, kind, external_id
), receipted as (
  insert into gaming.receipts (wallet_id, seq, kind, external_id)
  select w.wallet_id, w.seq, w.kind, w.external_id
  from written w
  join unnest($25::uuid[], $26::bigint[])
    as g (wallet_id, seq) using (wallet_id, seq)
  order by w.kind, w.external_id
)
select count(*)
from written`

// writeOne is writePlan for a batch of one: its arrays are single values, which
// the planner puts in place, so that no function is scanned and nothing hashed.
var writeOne = strings.NewReplacer("unnest(", "(values (", ")\n    as ", "))\n    as ", "[]", "").Replace(writePlan)

// write sends the statement with the COMMIT behind it, one round trip. Where
// the statement fails the server skips the COMMIT.
func write(ctx context.Context, conn *pgxpool.Conn, p *plan) error {
	var written int64
	batch := &pgx.Batch{}
	statement, arguments := writePlan, p.arguments()
	if len(p.entries) == 1 {
		statement, arguments = writeOne, firstOf(arguments)
	}
	batch.Queue(statement, arguments...).QueryRow(func(row pgx.Row) error {
		return row.Scan(&written)
	})
	batch.Queue("commit")
	if err := conn.SendBatch(ctx, batch).Close(); err != nil {
		return &commitError{err}
	}
	if written != int64(len(p.entries)) {
		// The triggers refuse a balance without its entry before it comes to
		// this.
		return errBalanceMoved
	}
	return nil
}

// walletColumns and entryColumns are the statement's arrays, a place a row.
type walletColumns struct {
	id                     [][16]byte
	real, bonus, movements []int64
	head                   [][]byte
	debt                   []bool
}

type entryColumns struct {
	wallet                                         [][16]byte
	seq                                            []int64
	kind, externalID                               []string
	realBefore, realAfter, bonusBefore, bonusAfter []int64
	reference, roundID, actor, details             []*string
	occurredAt                                     []time.Time
	hash                                           [][]byte
	last                                           []bool
	mark                                           []*string
	globalWallet                                   [][16]byte
	globalSeq                                      []int64
}

func (p *plan) arguments() []any {
	w, e := p.columns()
	return []any{
		w.id, w.real, w.bonus, w.movements, w.head,
		e.wallet, e.seq, e.kind, e.externalID, e.realBefore, e.realAfter, e.bonusBefore, e.bonusAfter,
		e.reference, e.roundID, e.actor, e.details, e.occurredAt, e.hash, e.last,
		p.now, p.keyID, w.debt, e.mark, e.globalWallet, e.globalSeq,
	}
}

func (p *plan) columns() (w walletColumns, e entryColumns) {
	place := map[[16]byte]int{} // of a wallet in w
	last := map[[16]byte]int{}  // of a wallet's last entry in e
	for i, entry := range p.entries {
		at, ok := place[entry.WalletID]
		if !ok {
			at = len(w.id)
			place[entry.WalletID] = at
			w.id, w.head = append(w.id, entry.WalletID), append(w.head, nil)
			w.real, w.bonus, w.movements = append(w.real, 0), append(w.bonus, 0), append(w.movements, 0)
			w.debt = append(w.debt, false)
		}
		w.real[at] += entry.Real().Units()
		w.bonus[at] += entry.Bonus().Units()
		w.movements[at]++
		w.head[at] = entry.Hash[:]
		w.debt[at] = w.debt[at] || entry.debt

		e.wallet = append(e.wallet, entry.WalletID)
		e.seq = append(e.seq, entry.Seq)
		e.kind = append(e.kind, string(entry.Kind))
		e.externalID = append(e.externalID, entry.ExternalID)
		e.realBefore = append(e.realBefore, entry.RealBefore.Units())
		e.realAfter = append(e.realAfter, entry.RealAfter.Units())
		e.bonusBefore = append(e.bonusBefore, entry.BonusBefore.Units())
		e.bonusAfter = append(e.bonusAfter, entry.BonusAfter.Units())
		e.reference = append(e.reference, nullable(entry.Reference))
		e.roundID = append(e.roundID, nullable(entry.RoundID))
		e.actor = append(e.actor, &entry.Actor)
		e.details = append(e.details, nullable(string(entry.Details)))
		e.occurredAt = append(e.occurredAt, entry.OccurredAt)
		e.hash = append(e.hash, entry.Hash[:])
		e.last = append(e.last, false)
		e.mark = append(e.mark, nullable(string(entry.Mark)))
		if entry.global {
			e.globalWallet, e.globalSeq = append(e.globalWallet, entry.WalletID), append(e.globalSeq, entry.Seq)
		}
		last[entry.WalletID] = i
	}
	for _, i := range last {
		e.last[i] = true
	}
	return w, e
}

// firstOf makes the arguments of writeOne from those of writePlan: of each
// array its only element, NULL where it has none.
func firstOf(arguments []any) []any {
	for i, argument := range arguments {
		switch v := argument.(type) {
		case [][16]byte:
			arguments[i] = first(v)
		case [][]byte:
			arguments[i] = first(v)
		case []int64:
			arguments[i] = first(v)
		case []string:
			arguments[i] = first(v)
		case []*string:
			arguments[i] = first(v)
		case []bool:
			arguments[i] = first(v)
		case []time.Time:
			arguments[i] = first(v)
		}
	}
	return arguments
}

func first[T any](values []T) any {
	if len(values) == 0 {
		return nil
	}
	return values[0]
}

func nullable(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
