package walletcore

// Kind says what a movement is. With the external id it is the idempotency
// key, so that a bet and its refund may carry the same id.
type Kind string

// The kinds of entries.
const (
	// KindOpening is the zero entry that begins every chain, at seq 0.
	KindOpening Kind = "opening"
	// KindDeposit adds to real; its external id is the deposit's id, unique
	// over all wallets.
	KindDeposit Kind = "deposit"
)

// Global reports whether the kind's external ids are unique over all wallets,
// kept by a receipt beside the entry.
func (k Kind) Global() bool { return k == KindDeposit }
