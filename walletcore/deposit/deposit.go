package deposit

import (
	"encoding/hex"
	"time"

	"github.com/google/uuid"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/job"
)

// New asks for a deposit.
type New struct {
	Brand          string
	User           string
	Currency       string
	Amount         walletcore.Money // main unit; what the gateway must confirm exactly
	Gateway        string
	Account        string // the gateway's account that the money goes to
	IdempotencyKey string // the caller's; unique in the brand, for ever
	ExpiresAt      time.Time
}

// Validate refuses what could never be paid or credited. The error is a
// *walletcore.FieldError. Whether ExpiresAt lies ahead is not looked at: a
// resend may come late.
func (n *New) Validate() error {
	if err := n.Wallet().Validate(); err != nil {
		return err
	}
	if err := walletcore.CheckPayable(n.Amount, n.Currency); err != nil {
		return err
	}
	if err := walletcore.CheckID("gateway", n.Gateway, walletcore.MaxName); err != nil {
		return err
	}
	if err := walletcore.CheckID("account", n.Account, walletcore.MaxName); err != nil {
		return err
	}
	if err := walletcore.CheckID("idempotency_key", n.IdempotencyKey, walletcore.MaxGivenID); err != nil {
		return err
	}
	if n.ExpiresAt.IsZero() {
		return &walletcore.FieldError{Field: "expires_at", Reason: "must be set"}
	}
	return nil
}

// Wallet returns the wallet that the deposit is for.
func (n *New) Wallet() walletcore.WalletKey {
	return walletcore.WalletKey{Brand: n.Brand, User: n.User, Currency: n.Currency}
}

// Deposit is a deposit as stored. Times are UTC; those that have not come are
// nil.
type Deposit struct {
	ID             string
	Brand          string
	User           string
	Currency       string
	Amount         walletcore.Money
	Gateway        string
	Account        string
	IdempotencyKey string
	Status         Status
	CreatedAt      time.Time
	ExpiresAt      time.Time
	ConfirmedAt    *time.Time
	CreditedAt     *time.Time
	ChargedBackAt  *time.Time // when the gateway first said that the money goes back
	CorrelationID  string     // the message that confirmed it; empty before
	JobID          int64      // of the job that credits it; 0 before it is confirmed
	Attempts       int        // to credit it, as far as their end was recorded
	LastError      string     // of the last failed attempt, empty where none failed
	LastErrorClass job.ErrorClass
	LastErrorAt    *time.Time
	NextAttemptAt  *time.Time          // nil where none is scheduled
	Receipt        *walletcore.Receipt // of gaming; nil before it is credited
}

// Wallet returns the wallet that the deposit is for.
func (d *Deposit) Wallet() walletcore.WalletKey {
	return walletcore.WalletKey{Brand: d.Brand, User: d.User, Currency: d.Currency}
}

// newID makes a deposit's id. It begins with the time, so ids sort by creation.
func newID() string {
	id := uuid.Must(uuid.NewV7())
	return "dep_" + hex.EncodeToString(id[:])
}
