package chaincheck

import (
	"github.com/google/uuid"

	"github.com/walletctl/walletctl/walletcore"
)

// Kind names a way in which a chain can be broken. The names are stable: they
// appear in JSON, CSV and metrics.
type Kind string

// The kinds of breaks.
const (
	// KindHole: a seq is missing between two entries.
	KindHole Kind = "hole"
	// KindNoOpening: the chain does not begin with an opening at seq 0.
	KindNoOpening Kind = "no_opening"
	// KindArithmetic: a balance before an entry is not the one after its
	// predecessor.
	KindArithmetic Kind = "arithmetic"
	// KindSign: an entry moves money in a way that its kind never does.
	KindSign Kind = "sign"
	// KindAmount: a balance of an entry or a wallet is no amount (NaN,
	// infinity, more than 8 places).
	KindAmount Kind = "amount"
	// KindHash: the hash does not belong to the entry and its predecessor: a
	// field was changed, or somebody without the key wrote it.
	KindHash Kind = "hash"
	// KindHead: the wallet does not stand where its last entry says.
	KindHead Kind = "head"
	// KindOrphan: entries of a wallet that does not exist.
	KindOrphan Kind = "orphan"
	// KindIdentity: the wallet's id does not derive from its brand, user and
	// currency.
	KindIdentity Kind = "identity"
	// KindReceipt: an entry that must be unique over all wallets has no
	// receipt, or its receipt belongs to another entry.
	KindReceipt Kind = "receipt"
	// KindTruncated: the wallet is gone, stands below where an earlier run saw
	// it, or has another entry there.
	KindTruncated Kind = "truncated"
	// KindNegative: a balance is below what the wallet may owe.
	KindNegative Kind = "negative"
	// KindHistory: an entry below the opening that no backfill brought in, or
	// another history than the one that was.
	KindHistory Kind = "history"
)

// Kinds lists every kind of break.
func Kinds() []Kind {
	return []Kind{
		KindHole, KindNoOpening, KindArithmetic, KindSign, KindAmount, KindHash,
		KindHead, KindOrphan, KindIdentity, KindReceipt, KindTruncated, KindNegative, KindHistory,
	}
}

// Finding is one break of one chain. Brand, user and currency are empty where
// the wallet does not exist.
type Finding struct {
	WalletID   uuid.UUID `json:"wallet_id"`
	Brand      string    `json:"brand"`
	User       string    `json:"user"`
	Currency   string    `json:"currency"`
	Seq        int64     `json:"seq"`
	Kind       Kind      `json:"kind"`
	Expected   string    `json:"expected"`
	Found      string    `json:"found"`
	Difference string    `json:"difference,omitempty"` // found minus expected, 8 places; empty where it is not money
	Detail     string    `json:"detail"`

	doubt walletcore.Money
}

func (f *Finding) setDifference(m walletcore.Money) {
	f.Difference, f.doubt = m.String(), m
}

// signed formats a movement with its sign: "+1.00000000".
func signed(m walletcore.Money) string {
	if m.Sign() > 0 {
		return "+" + m.String()
	}
	return m.String()
}

func (v *verifier) finding(kind Kind, seq int64, expected, found, detail string) Finding {
	key := v.head.key
	return Finding{
		WalletID: v.head.id, Brand: key.Brand, User: key.User, Currency: key.Currency,
		Seq: seq, Kind: kind, Expected: expected, Found: found, Detail: detail,
	}
}

func (v *verifier) add(kind Kind, seq int64, expected, found, detail string) {
	v.keep(v.finding(kind, seq, expected, found, detail))
}

func (v *verifier) addAmounts(kind Kind, seq int64, expected, found walletcore.Money, detail string) {
	f := v.finding(kind, seq, expected.String(), found.String(), detail)
	f.setDifference(found.Sub(expected))
	v.keep(f)
}

func (v *verifier) keep(f Finding) {
	if len(v.findings) == maxWalletFindings {
		v.extra++
		return
	}
	v.findings = append(v.findings, f)
}
