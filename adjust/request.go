package adjust

import (
	"time"

	"github.com/google/uuid"

	"github.com/walletctl/walletctl/walletcore"
)

// DefaultExpiry is how long a request waits for its approver.
const DefaultExpiry = 72 * time.Hour

// Request asks for an adjustment.
type Request struct {
	Wallet      uuid.UUID
	Real, Bonus walletcore.Money // signed, main unit; exactly one is not zero
	Reason      string           // a code of the table of reasons
	Ticket      string           // where it was decided
	Note        string           // optional
	CorrectsSeq int64            // optional: the wallet's entry that it corrects
	CaseRef     string           // optional: the case that it answers
	AllowDebt   bool             // it may take real below zero
	ExpiresIn   time.Duration    // DefaultExpiry by default, 30 days at the most
}

// Validate refuses a request that could never be posted. The error is a
// *walletcore.FieldError.
func (r *Request) Validate() error {
	switch {
	case r.Real.IsZero() == r.Bonus.IsZero():
		return &walletcore.FieldError{Field: "amount", Reason: "must be of either real or bonus, and not zero"}
	case !r.Real.InRange() || !r.Bonus.InRange():
		return &walletcore.FieldError{Field: "amount", Reason: "is out of range: at most 10 digits before the point"}
	case r.AllowDebt && r.Real.Sign() >= 0:
		return &walletcore.FieldError{Field: "allow_debt", Reason: "is for an amount that is taken from real"}
	case r.ExpiresIn < 0 || r.ExpiresIn > 30*24*time.Hour:
		return &walletcore.FieldError{Field: "expires_in", Reason: "must be at most 720h"}
	case len(r.Note) > 2000:
		return &walletcore.FieldError{Field: "note", Reason: "is longer than 2000 bytes"}
	}
	if err := walletcore.CheckID("reason", r.Reason, 40); err != nil {
		return err
	}
	return walletcore.CheckID("ticket", r.Ticket, walletcore.MaxGivenID)
}
