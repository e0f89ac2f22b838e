package chaincheck

import (
	"context"
	"fmt"

	"github.com/walletctl/walletctl/walletcore"
)

// strayQuery finds the receipts without an entry among those that the
// condition selects.
func strayQuery(condition string) string {
	return fmt.Sprintf(byLookUp+`copy (
select r.wallet_id, r.seq, r.kind, r.external_id
from gaming.receipts r
left join gaming.entries e on e.wallet_id = r.wallet_id and e.seq = r.seq
where %s and (e.kind is distinct from r.kind or e.external_id is distinct from r.external_id)
limit %d) to stdout (format binary)`, condition, maxPerSlice)
}

// stray is a receipt without an entry.
type stray struct {
	at         entryKey
	kind       walletcore.Kind
	externalID string
}

// sweepStray looks for receipts without an entry: a resend of such a deposit
// would be answered as credited, and nothing would be.
func (r *run) sweepStray(ctx context.Context, condition string, attempts int) error {
	list, err := r.readStray(ctx, condition, attempts)
	if err != nil {
		return err
	}
	for i := range list {
		r.confirmStray(ctx, &list[i])
	}
	return nil
}

func (r *run) confirmStray(ctx context.Context, s *stray) {
	if !r.tally.enough() {
		again, err := r.readStray(ctx, fmt.Sprintf(`r.kind = %s::gaming.movement_kind and r.external_id = %s`,
			textLiteral(string(s.kind)), textLiteral(s.externalID)), r.options.Attempts)
		if err != nil {
			r.tally.addUnread(s.at.wallet, s.at.wallet, "receipts", err)
			return
		}
		if len(again) == 0 {
			return
		}
	}
	f := Finding{
		WalletID: s.at.wallet, Seq: s.at.seq, Kind: KindReceipt,
		Expected: fmt.Sprintf("entry %s %q", s.kind, s.externalID), Found: "no such entry at this seq",
		Detail: "a resend of this movement would be answered as done, and it is not",
	}
	r.nameWallet(ctx, &f)
	r.tally.addWallet([]Finding{f}, 0)
}

func (r *run) readStray(ctx context.Context, condition string, attempts int) ([]stray, error) {
	var list []stray
	err := r.reader.repeat(ctx, attempts, func() (bool, error) {
		list = list[:0]
		return false, r.reader.copyOut(ctx, strayQuery(condition), func(fields [][]byte) error {
			list = append(list, stray{
				at:   entryKey{decodeID(fields[0]), decodeInt64(fields[1])},
				kind: walletcore.Kind(fields[2]), externalID: string(fields[3]),
			})
			return nil
		})
	})
	return list, err
}
