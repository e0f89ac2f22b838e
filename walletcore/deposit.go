package walletcore

import (
	"encoding/json"
	"time"
)

// DepositCredit asks gaming to credit a confirmed deposit. The deposit's id is
// the idempotency key, over all wallets and for ever.
type DepositCredit struct {
	DepositID     string          `json:"deposit_id"`
	Wallet        WalletKey       `json:"wallet"`
	Amount        Money           `json:"amount"` // main unit, above zero, fits the currency's minor unit
	OccurredAt    time.Time       `json:"occurred_at"`
	CorrelationID string          `json:"correlation_id,omitempty"` // follows the money from the webhook on
	Details       json.RawMessage `json:"details,omitempty"`        // kept in the entry; no personal data
}

// Validate refuses a credit that could never be posted. The error is a
// *FieldError.
func (c *DepositCredit) Validate() error {
	if err := CheckID("deposit_id", c.DepositID, MaxGivenID); err != nil {
		return err
	}
	return checkOrder(c.Wallet, c.Amount, c.OccurredAt)
}

// Posted is the answer to a movement that stands in the ledger.
type Posted struct {
	Receipt  Receipt `json:"receipt"`
	Replayed bool    `json:"replayed"` // it stood there before this request
}
