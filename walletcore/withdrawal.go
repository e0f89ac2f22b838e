package walletcore

import (
	"encoding/json"
	"time"
)

// WithdrawalOrder asks gaming to take a withdrawal's amount from real, or to
// give it back. The withdrawal's id is the idempotency key of both, over all
// wallets and for ever.
type WithdrawalOrder struct {
	WithdrawalID  string          `json:"withdrawal_id"`
	Wallet        WalletKey       `json:"wallet"`
	Amount        Money           `json:"amount"` // main unit, above zero, fits the currency's minor unit
	OccurredAt    time.Time       `json:"occurred_at"`
	CorrelationID string          `json:"correlation_id,omitempty"`
	Details       json.RawMessage `json:"details,omitempty"` // kept in the entry; no personal data
}

// Validate refuses an order that could never be posted. The error is a
// *FieldError.
func (o *WithdrawalOrder) Validate() error {
	if err := CheckID("withdrawal_id", o.WithdrawalID, MaxGivenID); err != nil {
		return err
	}
	return checkOrder(o.Wallet, o.Amount, o.OccurredAt)
}

// checkOrder checks what every order of casino's for a payment names.
func checkOrder(wallet WalletKey, amount Money, occurredAt time.Time) error {
	if err := wallet.Validate(); err != nil {
		return err
	}
	if err := CheckPayable(amount, wallet.Currency); err != nil {
		return err
	}
	if occurredAt.IsZero() {
		return &FieldError{Field: "occurred_at", Reason: "must be set"}
	}
	return nil
}

// WithdrawalState is where a withdrawal stands in the ledger. Only
// [WithdrawalDebited] may raise a payout.
type WithdrawalState string

// The states.
const (
	WithdrawalDebited  WithdrawalState = "debited"  // its amount was taken and is not given back
	WithdrawalReversed WithdrawalState = "reversed" // its amount was taken and given back
	WithdrawalClosed   WithdrawalState = "closed"   // reversed before it was debited: it can never be
)

// Withdrawn is the answer to a [WithdrawalOrder]: the receipt of this order,
// the first time's where it was posted before, and how the withdrawal stands
// now.
type Withdrawn struct {
	Posted
	State WithdrawalState `json:"state"`
}
