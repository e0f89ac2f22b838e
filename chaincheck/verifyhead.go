package chaincheck

import (
	"fmt"

	"github.com/walletctl/walletctl/walletcore"
)

// checkHead compares the wallet with its last entry, with whose it is, with
// what it may owe, and with the checkpoint.
func (v *verifier) checkHead() {
	h := v.head
	if want := h.key.ID(); want != h.id {
		v.add(KindIdentity, h.at.seq, want.String(), h.id.String(), "the id does not belong to "+h.key.String())
	}
	if h.bad != nil {
		v.add(KindAmount, h.at.seq, "an amount with at most 8 places", h.bad.Error(), "the wallet's row or its last entry")
		return
	}
	if h.empty {
		v.addEmpty()
	} else {
		v.compareHead()
	}
	v.checkLimits()
	v.compareSeen()
}

func (v *verifier) addEmpty() {
	f := v.finding(KindNoOpening, 0, "an opening at seq 0", "no entry", "the wallet stands at "+v.head.at.String())
	f.setDifference(v.head.at.total())
	v.keep(f)
}

func (v *verifier) compareHead() {
	at, last := &v.head.at, &v.head.last
	if at.seq != last.seq {
		side := "ahead of"
		if at.seq < last.seq {
			side = "behind"
		}
		f := v.finding(KindHead, at.seq, fmt.Sprintf("seq %d", last.seq), fmt.Sprintf("seq %d", at.seq),
			"the wallet is "+side+" its entries")
		f.setDifference(at.total().Sub(last.total()))
		v.keep(f)
		return
	}
	if at.real != last.real {
		v.addAmounts(KindHead, at.seq, last.real, at.real, "real of the wallet against its last entry")
	}
	if at.bonus != last.bonus {
		v.addAmounts(KindHead, at.seq, last.bonus, at.bonus, "bonus of the wallet against its last entry")
	}
	if at.hash != last.hash {
		v.add(KindHead, at.seq, fmt.Sprintf("%x", last.hash), fmt.Sprintf("%x", at.hash),
			"head of the wallet against its last entry's hash")
	}
}

func (v *verifier) checkLimits() {
	h := v.head
	if floor := h.debt.Neg(); h.at.real.Cmp(floor) < 0 {
		v.addAmounts(KindNegative, h.at.seq, floor, h.at.real, "real is below what the wallet may owe")
	}
	if h.at.bonus.Sign() < 0 {
		v.addAmounts(KindNegative, h.at.seq, walletcore.Money{}, h.at.bonus, "bonus is below zero")
	}
}

// compareSeen finds what no chain can show: that it was longer once. Where the
// place in the checkpoint lies before the last entry, checkPlace looks at it.
func (v *verifier) compareSeen() {
	h := v.head
	if h.seen == nil {
		return
	}
	stands := h.last
	if h.empty {
		stands = standing{seq: -1}
	}
	if h.at.seq < stands.seq {
		stands = h.at
	}
	if stands.seq > h.seen.seq || stands.seq == h.seen.seq && stands.hash == h.seen.hash {
		return
	}
	f := v.finding(KindTruncated, h.seen.seq, h.seen.String(), stands.String(),
		fmt.Sprintf("an earlier run saw the chain up to seq %d", h.seen.seq))
	f.setDifference(stands.total().Sub(h.seen.total()))
	v.keep(f)
}

// unseen returns the finding of a wallet that the checkpoint has and the
// database has not.
func unseen(h *head) Finding {
	f := Finding{
		WalletID: h.id, Seq: h.seen.seq, Kind: KindTruncated, Expected: h.seen.String(), Found: "no wallet",
		Detail: "an earlier run saw the wallet",
	}
	f.setDifference(h.seen.total().Neg())
	return f
}
