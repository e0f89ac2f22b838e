package chaincheck

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/walletctl/walletctl/walletcore"
)

const (
	// sliceTime and slicePages are how much of the entries one statement sweeps.
	sliceTime   = 15 * time.Minute
	slicePages  = 2_048
	maxPerSlice = 1_000
)

// slice is a part of the entries as they lie in the table: by the time at which
// they were recorded, which the BRIN index selects, or by page.
type slice struct {
	condition string
	orphans   bool // look for entries without a wallet as well
}

// slices cuts up what the run asks for. Where all is read, entries without a
// wallet were seen on the way.
func (r *run) slices() []slice {
	if r.options.Wallet != uuid.Nil {
		if r.options.All {
			return []slice{{condition: `true`}}
		}
		return []slice{{condition: `e.recorded_at >= ` + timeLiteral(r.windowStart)}}
	}
	if r.options.All {
		var list []slice
		for page := int64(0); page < r.pages; page += slicePages {
			list = append(list, slice{condition: fmt.Sprintf(`e.ctid >= '(%d,0)' and e.ctid < '(%d,0)'`, page, page+slicePages)})
		}
		return list
	}
	var list []slice
	end := r.deps.Clock().Add(time.Hour) // clocks differ
	for from := r.windowStart; from.Before(end); from = from.Add(sliceTime) {
		list = append(list, slice{
			condition: fmt.Sprintf(`e.recorded_at >= %s and e.recorded_at < %s`, timeLiteral(from), timeLiteral(from.Add(sliceTime))),
			orphans:   !r.options.limited(),
		})
	}
	return list
}

// globalKinds are the kinds whose entries have a receipt, as an SQL list.
func globalKinds() string {
	var list []string
	for kind := range effects {
		if kind.Global() {
			list = append(list, "'"+string(kind)+"'")
		}
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// sweepQuery finds the entries of a slice without a wallet, and those whose
// receipt is missing or belongs to another entry. An entry and its receipt are
// written by one transaction, so a snapshot has both or none.
func (r *run) sweepQuery(s slice) string {
	scope := ""
	if r.options.Brand != "" {
		scope = brandCondition(r.options.Brand)
	} else if r.options.Wallet != uuid.Nil {
		scope = ` and e.wallet_id = '` + r.options.Wallet.String() + `'`
	}
	wallets, missing := ``, `false`
	if s.orphans || r.options.Brand != "" {
		wallets = `left join gaming.wallets w on w.id = e.wallet_id`
	}
	if s.orphans {
		missing = `w.id is null`
	}
	return fmt.Sprintf(byLookUp+`copy (
select e.wallet_id, e.seq, e.kind, e.external_id, e.real_after - e.real_before, r.wallet_id, r.seq, %[2]s
from gaming.entries e
%[1]s
left join gaming.receipts r on r.kind = e.kind and r.external_id = e.external_id
where %[3]s%[4]s
  and (%[2]s or e.kind::text in (%[5]s) and (r.wallet_id is distinct from e.wallet_id or r.seq is distinct from e.seq))
limit %[6]d) to stdout (format binary)`, wallets, missing, s.condition, scope, globalKinds(), maxPerSlice)
}

// unmatched is an entry without a wallet or without its receipt.
type unmatched struct {
	wallet     uuid.UUID
	seq        int64
	kind       walletcore.Kind
	externalID string
	amount     walletcore.Money
	receipt    *entryKey // whose the receipt is; nil where there is none
	orphan     bool
}

func decodeUnmatched(fields [][]byte) unmatched {
	u := unmatched{
		wallet: decodeID(fields[0]), seq: decodeInt64(fields[1]),
		kind: walletcore.Kind(fields[2]), externalID: string(fields[3]),
		orphan: len(fields[7]) == 1 && fields[7][0] == 1,
	}
	u.amount, _ = decodeMoney(fields[4]) // an amount that is none is a finding of its own
	if fields[5] != nil {
		u.receipt = &entryKey{decodeID(fields[5]), decodeInt64(fields[6])}
	}
	return u
}

// sweep checks one slice.
func (r *run) sweep(ctx context.Context, s slice) {
	list, err := r.readUnmatched(ctx, r.sweepQuery(s))
	if err != nil {
		r.tally.addUnread(uuid.Nil, uuid.Max, "receipts", err)
		return
	}
	orphans := map[uuid.UUID]bool{}
	for i := range list {
		if u := &list[i]; !u.orphan {
			r.confirmReceipt(ctx, u)
		} else if !orphans[u.wallet] && r.sweptOrphans.add(u.wallet) {
			orphans[u.wallet] = true
			r.confirmOrphan(ctx, u.wallet)
		}
	}
}

func (r *run) readUnmatched(ctx context.Context, query string) ([]unmatched, error) {
	var list []unmatched
	err := r.reader.retry(ctx, func() (bool, error) {
		list = list[:0]
		return false, r.reader.copyOut(ctx, query, func(fields [][]byte) error {
			if len(fields) != 8 {
				return errCopyFormat
			}
			list = append(list, decodeUnmatched(fields))
			return nil
		})
	})
	return list, err
}

// confirmReceipt reads the entry and its receipt once more, and whose wallet it
// is, and counts what that shows.
func (r *run) confirmReceipt(ctx context.Context, u *unmatched) {
	only := slice{condition: fmt.Sprintf(`e.wallet_id = '%s' and e.seq = %d`, u.wallet, u.seq)}
	again := []unmatched{*u}
	if !r.tally.enough() {
		var err error
		if again, err = r.readUnmatched(ctx, r.sweepQuery(only)); err != nil {
			r.tally.addUnread(u.wallet, u.wallet, "receipts", err)
			return
		}
	}
	for i := range again {
		f := again[i].finding()
		r.nameWallet(ctx, &f)
		r.tally.addWallet([]Finding{f}, 0)
	}
}

func (u *unmatched) finding() Finding {
	f := Finding{
		WalletID: u.wallet, Seq: u.seq, Kind: KindReceipt,
		Expected: fmt.Sprintf("receipt %s %q of this entry", u.kind, u.externalID), Found: "no receipt",
		Detail: "without a receipt the same id could be credited again",
		doubt:  u.amount,
	}
	if u.receipt != nil {
		f.Found = fmt.Sprintf("the receipt of wallet %s, seq %d", u.receipt.wallet, u.receipt.seq)
		f.Detail = "the same id was credited twice, or the receipt was changed"
	}
	return f
}

// nameWallet fills in whose wallet it is, where that can be read.
func (r *run) nameWallet(ctx context.Context, f *Finding) {
	_ = r.reader.copyOut(ctx, headsQuery(idRange{f.WalletID, f.WalletID}, "", 1), func(fields [][]byte) error {
		f.Brand, f.User, f.Currency = string(fields[1]), string(fields[2]), string(fields[3])
		return nil
	})
}
