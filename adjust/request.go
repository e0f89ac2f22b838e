package adjust

import (
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/walletctl/walletctl/walletcore"
)

const (
	// DefaultExpiry is how long a request waits for its approver.
	DefaultExpiry = 72 * time.Hour
	// MaxExpiry is the longest that it may.
	MaxExpiry = 30 * 24 * time.Hour

	maxNote = 2000
	maxCase = 64
)

// NewID makes the id of a request.
func NewID() string { return "adj_" + strings.ReplaceAll(uuid.NewString(), "-", "") }

// Request asks for an adjustment.
type Request struct {
	// ID is the adjustment's: NewID makes one. Who gives it can look what became
	// of a request whose answer was lost. Made where it is empty.
	ID          string
	Wallet      uuid.UUID
	Real, Bonus walletcore.Money // signed, main unit; exactly one is not zero
	Reason      string           // a code of the table of reasons
	Ticket      string           // where it was decided
	Note        string           // optional
	CorrectsSeq *int64           // optional: the wallet's entry that it corrects
	CaseRef     string           // optional: the case that it answers
	AllowDebt   bool             // it may take real below zero
	ExpiresIn   time.Duration    // DefaultExpiry by default, MaxExpiry at the most
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
	case r.ExpiresIn < 0 || r.ExpiresIn > MaxExpiry:
		return &walletcore.FieldError{Field: "expires_in", Reason: "must be above zero and at most 720h"}
	case r.CorrectsSeq != nil && *r.CorrectsSeq < 0:
		return &walletcore.FieldError{Field: "entry", Reason: "is not the seq of an entry"}
	}
	return r.validateText()
}

func (r *Request) validateText() error {
	if err := walletcore.CheckID("reason", r.Reason, 40); err != nil {
		return err
	}
	if err := walletcore.CheckID("ticket", r.Ticket, walletcore.MaxGivenID); err != nil {
		return err
	}
	if r.CaseRef != "" {
		if err := walletcore.CheckID("case", r.CaseRef, maxCase); err != nil {
			return err
		}
	}
	return checkNote(r.Note)
}

// checkNote refuses a note that the column does not hold.
func checkNote(note string) error {
	if len(note) > maxNote || strings.ToValidUTF8(note, "") != note || strings.ContainsRune(note, 0) {
		return &walletcore.FieldError{Field: "note", Reason: "is longer than 2000 bytes, or no text"}
	}
	return nil
}

// Change is what the request does, by balance.
func (r *Request) Change() walletcore.Parts {
	return walletcore.Parts{Real: r.Real, Bonus: r.Bonus}
}
