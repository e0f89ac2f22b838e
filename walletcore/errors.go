package walletcore

import "fmt"

// AmountError says why a text is not an amount.
type AmountError struct {
	Text   string // as given, shortened where it was very long
	Reason string
}

func (e *AmountError) Error() string { return fmt.Sprintf("amount %q %s", e.Text, e.Reason) }

// FieldError says what is wrong with one field of a request. Nothing was done.
type FieldError struct {
	Field  string // its name in JSON
	Reason string
}

func (e *FieldError) Error() string { return e.Field + " " + e.Reason }

// ConflictError refuses a movement whose key exists with other content. No
// money moved; somebody should look at it, since an honest resend is equal.
type ConflictError struct {
	Kind       Kind
	ExternalID string
	Field      string // the first field that differs: user, brand, currency, amount, ...
	Stored     string // what the ledger holds
	Given      string // what the request says
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("%s %s exists with another %s: stored %q, given %q",
		e.Kind, e.ExternalID, e.Field, e.Stored, e.Given)
}

// NotLiveError says that a brand takes no movements yet. Nothing was posted, no
// wallet was born and no tombstone left: the same movement is to be sent again
// until the brand is live.
type NotLiveError struct {
	Brand string
	State BrandState
}

func (e *NotLiveError) Error() string {
	return fmt.Sprintf("brand %s is %s, not live", e.Brand, e.State)
}

// Retryable reports that the same movement may be sent again.
func (e *NotLiveError) Retryable() bool { return true }

// RefusedError refuses a movement by a rule of the wallet. It leaves nothing
// behind: the same key can succeed later.
type RefusedError struct {
	Code   RefusalCode
	Detail string
}

func (e *RefusedError) Error() string { return fmt.Sprintf("refused (%s): %s", e.Code, e.Detail) }

// RefusalCode is the stable name of a reason to refuse.
type RefusalCode string

// The reasons to refuse.
const (
	// RefusedOverflow: the balance would not fit numeric(18,8).
	RefusedOverflow RefusalCode = "balance_overflow"
	// RefusedNoFunds: the balance does not cover it.
	RefusedNoFunds RefusalCode = "insufficient_funds"
	// RefusedFrozen: the wallet or its brand is frozen.
	RefusedFrozen RefusalCode = "frozen"
	// RefusedDebt: the real balance is below zero.
	RefusedDebt RefusalCode = "debt"
	// RefusedNoBet: a win that names no bet, from a provider that must name one.
	RefusedNoBet RefusalCode = "unknown_bet"
	// RefusedSettled: the bet has its win, and its provider may not refund it
	// after that.
	RefusedSettled RefusalCode = "bet_settled"
	// RefusedRolledBack: its refund or reversal came first, and its provider
	// wants to be told.
	RefusedRolledBack RefusalCode = "rolled_back"
)
