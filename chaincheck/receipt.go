package chaincheck

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"github.com/walletctl/walletctl/walletcore"
)

// unmatchedQuery finds the entries of a slice without a wallet, and those
// whose receipt is missing or belongs to another entry. An entry and its
// receipt are written by one transaction, so a snapshot has both or none.
func (r *run) unmatchedQuery(s slice) string {
	wallets, missing, scope := ``, `false`, ``
	if s.orphans || r.options.Brand != "" {
		wallets, scope = `left join gaming.wallets w on w.id = e.wallet_id`, brandCondition(r.options.Brand)
	}
	if s.orphans {
		missing = `w.id is null`
	}
	return fmt.Sprintf(byLookUp+`copy (
select e.wallet_id, e.seq, e.kind, e.external_id, e.real_after, e.real_before, r.wallet_id, r.seq, %[2]s
from gaming.entries e
%[1]s
left join gaming.receipts r on r.kind = e.kind and r.external_id = e.external_id
where %[3]s%[4]s
  and (%[2]s or e.kind in (%[5]s) and (r.wallet_id is distinct from e.wallet_id or r.seq is distinct from e.seq))
limit %[6]d) to stdout (format binary)`, wallets, missing, s.condition(), scope, globalKinds(), maxPerSlice)
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
		orphan: len(fields[8]) == 1 && fields[8][0] == 1,
	}
	after, err := decodeMoney(fields[4])
	before, err2 := decodeMoney(fields[5])
	if err == nil && err2 == nil { // an amount that is none is a finding of its own
		u.amount = after.Sub(before)
	}
	if fields[6] != nil {
		u.receipt = &entryKey{decodeID(fields[6]), decodeInt64(fields[7])}
	}
	return u
}

func (r *run) readUnmatched(ctx context.Context, s slice, attempts int) ([]unmatched, error) {
	var list []unmatched
	query := r.unmatchedQuery(s)
	err := r.reader.repeat(ctx, attempts, func() (bool, error) {
		list = list[:0]
		return false, r.reader.copyOut(ctx, query, func(fields [][]byte) error {
			if len(fields) != 9 {
				return errCopyFormat
			}
			list = append(list, decodeUnmatched(fields))
			return nil
		})
	})
	return list, err
}

// confirmReceipt reads the entry and its receipt once more, and counts what
// that shows.
func (r *run) confirmReceipt(ctx context.Context, u *unmatched) {
	again := []unmatched{*u}
	if !r.tally.enough() {
		var err error
		one := slice{table: "e", by: byEntry, wallet: u.wallet, seq: u.seq}
		if again, err = r.readUnmatched(ctx, one, r.options.Attempts); err != nil {
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
