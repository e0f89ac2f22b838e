package walletcore

// Kind says what a movement is. With the external id it is the idempotency
// key, so that a bet and its refund may carry the same id.
type Kind string

// The kinds of entries, with their external id and effect.
const (
	// KindOpening is the zero entry that begins every chain, at seq 0.
	KindOpening Kind = "opening"
	// KindDeposit (deposit id) adds to real.
	KindDeposit Kind = "deposit"
	// KindWithdrawal (withdrawal id) takes from real.
	KindWithdrawal Kind = "withdrawal"
	// KindWithdrawalReversal (withdrawal id) gives a withdrawal back, once.
	KindWithdrawalReversal Kind = "withdrawal_reversal"
	// KindBet (the provider's transaction id) takes from real and bonus.
	KindBet Kind = "bet"
	// KindWin (the provider's result id) adds to real and bonus, in the
	// proportion of the bets that it resolves.
	KindWin Kind = "win"
	// KindRefund (the bet's id, whatever id the refund itself carries) gives
	// back exactly the bet's own split.
	KindRefund Kind = "refund"
	// KindWinReversal (the result id) takes a win back.
	KindWinReversal Kind = "win_reversal"
	// KindBonusGrant (grant id) adds to bonus.
	KindBonusGrant Kind = "bonus_grant"
	// KindBonusForfeit (forfeit id) takes from bonus.
	KindBonusForfeit Kind = "bonus_forfeit"
	// KindBonusConversion (conversion id) moves from bonus to real.
	KindBonusConversion Kind = "bonus_conversion"
	// KindBroughtForward opens a wallet that was there before the ledger, at seq
	// 0, with the balance that it had.
	KindBroughtForward Kind = "brought_forward"
	// KindHistorySeal ties a part of the older history to the live chain, and
	// moves nothing.
	KindHistorySeal Kind = "history_seal"
	// KindAdjustment (adjustment id) adds to or takes from real or bonus what one
	// employee asked for and another approved.
	KindAdjustment Kind = "adjustment"
)

// Kinds lists all of them.
var Kinds = []Kind{
	KindOpening, KindDeposit, KindWithdrawal, KindWithdrawalReversal, KindBet, KindWin, KindRefund, KindWinReversal,
	KindBonusGrant, KindBonusForfeit, KindBonusConversion, KindAdjustment,
	KindBroughtForward, KindHistorySeal,
}

// Global reports whether the kind's external ids are unique over all wallets,
// kept by a receipt beside the entry.
func (k Kind) Global() bool {
	return k == KindDeposit || k == KindWithdrawal || k == KindWithdrawalReversal
}

// Undoes returns the kind that this one gives or takes back, whose external id
// is the same, and whether there is one.
func (k Kind) Undoes() (Kind, bool) {
	switch k {
	case KindRefund:
		return KindBet, true
	case KindWinReversal:
		return KindWin, true
	case KindWithdrawalReversal:
		return KindWithdrawal, true
	}
	return "", false
}

// UndoneBy returns the kind that gives or takes this one back, whose external
// id is the same, and whether there is one.
func (k Kind) UndoneBy() (Kind, bool) {
	switch k {
	case KindBet:
		return KindRefund, true
	case KindWin:
		return KindWinReversal, true
	case KindWithdrawal:
		return KindWithdrawalReversal, true
	}
	return "", false
}

// Mark says what is special about an entry: that it moved nothing for a reason
// of its own, or how its key came about. An entry without a mark did what its
// kind does.
type Mark string

// The marks.
const (
	// MarkTombstone: a refund or reversal of something that was not there. What
	// comes later under its id moves nothing.
	MarkTombstone Mark = "tombstone"
	// MarkVoid: what came after its own tombstone.
	MarkVoid Mark = "void"
	// MarkDuplicate: history that moved money a second time under a key that was
	// taken already. Kept as evidence, under a key of its own.
	MarkDuplicate Mark = "duplicate"
	// MarkUnkeyed: history whose row had no id; its external id is a digest.
	MarkUnkeyed Mark = "unkeyed"
)
