package walletcore

import (
	"encoding/json"
	"time"
)

// BonusChange asks gaming to grant a bonus, to take it back, or to turn it into
// real money. Its id, with the kind, is the idempotency key in its wallet.
type BonusChange struct {
	Kind          Kind            `json:"kind"` // KindBonusGrant, KindBonusForfeit or KindBonusConversion
	BonusID       string          `json:"bonus_id"`
	Wallet        WalletKey       `json:"wallet"`
	Amount        Money           `json:"amount"` // main unit, above zero
	OccurredAt    time.Time       `json:"occurred_at"`
	CorrelationID string          `json:"correlation_id,omitempty"`
	Details       json.RawMessage `json:"details,omitempty"` // kept in the entry; no personal data
}

// Validate refuses a change that could never be posted. The error is a
// *FieldError.
func (c *BonusChange) Validate() error {
	switch c.Kind {
	case KindBonusGrant, KindBonusForfeit, KindBonusConversion:
	default:
		return &FieldError{Field: "kind", Reason: "is not one of bonus_grant, bonus_forfeit, bonus_conversion"}
	}
	if err := CheckID("bonus_id", c.BonusID, MaxGivenID); err != nil {
		return err
	}
	if err := c.Wallet.Validate(); err != nil {
		return err
	}
	switch {
	case c.Amount.Sign() <= 0 || !c.Amount.InRange():
		return &FieldError{Field: "amount", Reason: "must be greater than zero, with at most 10 digits before the point"}
	case c.OccurredAt.IsZero():
		return &FieldError{Field: "occurred_at", Reason: "must be set"}
	}
	return nil
}
