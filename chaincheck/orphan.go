package chaincheck

import (
	"context"
	"fmt"

	"github.com/google/uuid"
)

// orphanQuery counts the entries of a wallet that does not exist, and reads
// what the last one left.
func orphanQuery(wallet uuid.UUID) string {
	return fmt.Sprintf(inKeyOrder+`copy (
select o.entries, o.first, l.seq, l.real_after, l.bonus_after
from (
  select count(*) as entries, min(e.seq) as first
  from gaming.entries e
  where e.wallet_id = '%[1]s' and not exists (select from gaming.wallets w where w.id = '%[1]s')) o
join lateral (
  select e.seq, e.real_after, e.bonus_after
  from gaming.entries e
  where e.wallet_id = '%[1]s' and o.entries > 0
  order by e.seq desc
  limit 1) l on true) to stdout (format binary)`, wallet)
}

// confirmOrphan reads the entries that seemed to have no wallet once more: a
// wallet may have been born after the heads were read.
func (r *run) confirmOrphan(ctx context.Context, id uuid.UUID) {
	var findings []Finding
	err := r.reader.retry(ctx, func() (bool, error) {
		findings = nil
		return false, r.reader.copyOut(ctx, orphanQuery(id), func(fields [][]byte) error {
			findings = append(findings, orphan(id, fields))
			return nil
		})
	})
	if err != nil {
		r.tally.addUnread(id, id, "entries", err)
		return
	}
	r.tally.addWallet(findings, 0)
}

func orphan(id uuid.UUID, fields [][]byte) Finding {
	first, last := decodeInt64(fields[1]), decodeInt64(fields[2])
	f := Finding{
		WalletID: id, Seq: first, Kind: KindOrphan,
		Expected: "a wallet", Found: "none",
		Detail: fmt.Sprintf("%d entries, seq %d to %d, belong to no wallet", decodeInt64(fields[0]), first, last),
	}
	real, err := decodeMoney(fields[3])
	bonus, err2 := decodeMoney(fields[4])
	if err == nil && err2 == nil {
		f.setDifference(real.Add(bonus).Neg())
	}
	return f
}
