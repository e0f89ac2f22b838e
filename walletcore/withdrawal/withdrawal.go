package withdrawal

import (
	"encoding/hex"
	"time"

	"github.com/google/uuid"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/job"
)

// New asks for a withdrawal.
type New struct {
	Brand          string
	User           string
	Currency       string
	Amount         walletcore.Money // main unit; what the gateway must pay exactly
	Gateway        string
	Account        string // the gateway's account that pays
	Destination    string // where to, as the payout's side knows it: a token, no account number
	IdempotencyKey string // the caller's; unique in the brand, for ever
	CorrelationID  string // follows the money through every service
}

// Validate refuses what could never be debited or paid. The error is a
// *walletcore.FieldError.
func (n *New) Validate() error {
	if err := n.Wallet().Validate(); err != nil {
		return err
	}
	if err := walletcore.CheckPayable(n.Amount, n.Currency); err != nil {
		return err
	}
	for _, id := range []struct {
		field, value string
		limit        int
	}{
		{"gateway", n.Gateway, walletcore.MaxName},
		{"account", n.Account, walletcore.MaxName},
		{"destination", n.Destination, walletcore.MaxGivenID},
		{"idempotency_key", n.IdempotencyKey, walletcore.MaxGivenID},
		{"correlation_id", n.CorrelationID, walletcore.MaxGivenID},
	} {
		if err := walletcore.CheckID(id.field, id.value, id.limit); err != nil {
			return err
		}
	}
	return nil
}

// Wallet returns the wallet that the money is taken from.
func (n *New) Wallet() walletcore.WalletKey {
	return walletcore.WalletKey{Brand: n.Brand, User: n.User, Currency: n.Currency}
}

// Withdrawal is a withdrawal as stored. Times are UTC; those that have not come
// are nil.
type Withdrawal struct {
	ID                string
	Brand             string
	User              string
	Currency          string
	Amount            walletcore.Money
	Gateway           string
	Account           string
	Destination       string
	IdempotencyKey    string
	CorrelationID     string
	Status            Status
	CreatedAt         time.Time
	DebitedAt         *time.Time
	PayoutRequestedAt *time.Time
	PaidAt            *time.Time
	RejectedAt        *time.Time
	Reason            string // why it was rejected: the wallet's refusal, or the gateway's own word
	ReversedAt        *time.Time
	DebitJobID        int64
	PayoutJobID       int64 // 0 before it is debited
	ReversalJobID     int64 // 0 where it is not rejected
	Attempts          int   // to debit it or to give it back, as far as their end was recorded
	LastError         string
	LastErrorClass    job.ErrorClass
	LastErrorAt       *time.Time
	NextAttemptAt     *time.Time          // nil where none is scheduled
	Receipt           *walletcore.Receipt // of the debit; nil before
	Reversal          *walletcore.Receipt // of what gave it back; nil before
}

// Wallet returns the wallet that the money is taken from.
func (w *Withdrawal) Wallet() walletcore.WalletKey {
	return walletcore.WalletKey{Brand: w.Brand, User: w.User, Currency: w.Currency}
}

// newID makes a withdrawal's id. It begins with the time, so ids sort by
// creation.
func newID() string {
	id := uuid.Must(uuid.NewV7())
	return "wd_" + hex.EncodeToString(id[:])
}
