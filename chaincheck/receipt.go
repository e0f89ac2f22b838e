package chaincheck

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"github.com/walletctl/walletctl/walletcore"
)

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
