package chaincheck

import (
	"errors"
	"fmt"

	"github.com/walletctl/walletctl/walletcore"
)

// maxWalletFindings bounds what is kept of one wallet: after a wrong key every
// entry is a finding.
const maxWalletFindings = 100

// verifier follows chains. It is given a head, its entries in order, and the
// end; between two entries of a wallet it may turn to others.
type verifier struct {
	hasher *walletcore.Hasher // nil: hashes are not verified

	head     *head
	findings []Finding
	extra    int64 // findings beyond maxWalletFindings

	entries, verified, unverified int64
	unknownKeys                   map[int16]bool
	unknownKinds                  map[walletcore.Kind]bool
}

func newVerifier(keys *walletcore.Keyring) *verifier {
	v := &verifier{unknownKeys: map[int16]bool{}, unknownKinds: map[walletcore.Kind]bool{}}
	if keys != nil {
		v.hasher = keys.Hasher()
	}
	return v
}

// begin starts a wallet. Reading begins at h.from: at 0 with the opening, else
// with an entry that serves as the predecessor of those that follow.
func (v *verifier) begin(h *head) {
	h.link = link{prev: standing{seq: h.from - 1}, linked: h.from == 0}
	v.turnTo(h)
}

// turnTo goes on with a wallet that was begun.
func (v *verifier) turnTo(h *head) { v.head, v.findings, v.extra = h, nil, 0 }

// entry takes the next entry. bad is what was wrong with its amounts.
func (v *verifier) entry(e *walletcore.Entry, bad error) {
	if e.Seq > v.head.last.seq {
		return // newer than the snapshot of the head
	}
	v.entries++
	contiguous := v.follows(e)
	if bad != nil {
		v.add(KindAmount, e.Seq, "an amount with at most 8 places", bad.Error(), place(e))
	} else {
		v.checkBalances(e, contiguous)
		v.checkEffect(e)
		v.checkHash(e, contiguous)
	}
	v.checkPlace(e)
	v.head.link = link{
		prev: standing{seq: e.Seq, hash: e.Hash, real: e.RealAfter, bonus: e.BonusAfter},
		read: true, linked: bad == nil,
	}
}

// follows reports whether e directly follows an entry that is known.
func (v *verifier) follows(e *walletcore.Entry) bool {
	want := v.head.prev.seq + 1
	switch {
	case e.Seq == want:
		if e.Seq == 0 && e.Kind != walletcore.KindOpening && e.Kind != walletcore.KindBroughtForward {
			v.add(KindNoOpening, 0, "an opening", string(e.Kind), place(e))
		}
		return v.head.linked
	case !v.head.read && v.head.from == 0:
		v.add(KindNoOpening, 0, "an opening at seq 0", fmt.Sprintf("seq %d first", e.Seq), place(e))
	default:
		v.addMissing(e, want)
	}
	return false
}

func (v *verifier) addMissing(e *walletcore.Entry, want int64) {
	f := v.finding(KindHole, want, fmt.Sprintf("seq %d", want), fmt.Sprintf("seq %d", e.Seq),
		fmt.Sprintf("%d entries are missing before %s", e.Seq-want, place(e)))
	if v.head.read && v.head.linked {
		f.setDifference(e.RealBefore.Add(e.BonusBefore).Sub(v.head.prev.total()))
	}
	v.keep(f)
}

func (v *verifier) checkBalances(e *walletcore.Entry, contiguous bool) {
	if !contiguous || (e.Seq == 0 && e.Kind == walletcore.KindBroughtForward) { // which opens with a balance
		return
	}
	if e.RealBefore != v.head.prev.real {
		v.addAmounts(KindArithmetic, e.Seq, v.head.prev.real, e.RealBefore, "real before "+place(e))
	}
	if e.BonusBefore != v.head.prev.bonus {
		v.addAmounts(KindArithmetic, e.Seq, v.head.prev.bonus, e.BonusBefore, "bonus before "+place(e))
	}
}

func (v *verifier) checkEffect(e *walletcore.Entry) {
	ok, known := allowed(e)
	if !known {
		v.unknownKinds[e.Kind] = true
		return
	}
	if !ok {
		v.addDirection(e)
	}
}

func (v *verifier) addDirection(e *walletcore.Entry) {
	f := v.finding(KindSign, e.Seq, fmt.Sprintf("%s %s", e.Kind, directions[e.Kind]),
		fmt.Sprintf("real %s, bonus %s at seq %d", signed(e.Real()), signed(e.Bonus()), e.Seq), place(e))
	f.doubt = e.Real().Add(e.Bonus())
	v.keep(f)
}

// checkHash recomputes the hash of an entry whose predecessor is known.
func (v *verifier) checkHash(e *walletcore.Entry, contiguous bool) {
	if !contiguous {
		return
	}
	if v.hasher == nil {
		v.unverified++
		return
	}
	sum, err := v.hasher.Sum(v.head.prev.hash, e)
	if err != nil {
		var unknown *walletcore.UnknownKeyError
		if errors.As(err, &unknown) {
			v.unknownKeys[unknown.KeyID] = true
		}
		v.unverified++
		return
	}
	v.verified++
	if sum != e.Hash {
		v.add(KindHash, e.Seq, fmt.Sprintf("%x", sum), fmt.Sprintf("%x", e.Hash),
			fmt.Sprintf("a field of %s or of what precedes it was changed, key %d", place(e), e.KeyID))
	}
}

// checkPlace compares the entry with what an earlier run saw in its place.
func (v *verifier) checkPlace(e *walletcore.Entry) {
	seen := v.head.seen
	if seen == nil || seen.seq != e.Seq || seen.hash == e.Hash || e.Seq == v.head.last.seq {
		return
	}
	f := v.finding(KindTruncated, e.Seq, fmt.Sprintf("hash %x", seen.hash), fmt.Sprintf("hash %x", e.Hash),
		"an earlier run saw another entry here: the chain was cut and written again")
	f.setDifference(e.RealAfter.Add(e.BonusAfter).Sub(seen.total()))
	v.keep(f)
}

// end finishes the wallet and returns what was found, and how much more was.
func (v *verifier) end() ([]Finding, int64) {
	h := v.head
	if !h.empty && h.from <= h.last.seq && h.prev.seq < h.last.seq {
		v.add(KindHole, h.prev.seq+1, fmt.Sprintf("seq %d", h.prev.seq+1), "nothing",
			fmt.Sprintf("entries up to seq %d are missing", h.last.seq))
	}
	v.checkHead()
	h.done = true
	return v.findings, v.extra
}
