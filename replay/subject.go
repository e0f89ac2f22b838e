package replay

import (
	"strings"

	"github.com/walletctl/walletctl/walletcore"
)

// Subject is what a case is about, or what is sent again.
type Subject struct {
	Type string `json:"type"` // deposit, withdrawal, effect, payment, message, movement or wallet
	ID   string `json:"id"`   // of an effect: the deposit's id, a slash and its name
}

// The types of subjects that can be sent again.
const (
	Deposit    = "deposit"
	Withdrawal = "withdrawal"
	Effect     = "effect"
)

// The types of subjects of the ledger.
const (
	Wallet   = "wallet"
	Movement = "movement"
)

// ParseSubject tells what an id is of, as casino makes them. The error is a
// *walletcore.FieldError.
func ParseSubject(id string) (Subject, error) {
	switch {
	case strings.HasPrefix(id, "dep_") && strings.Contains(id, "/") && !strings.HasSuffix(id, "/"):
		return Subject{Effect, id}, nil
	case strings.HasPrefix(id, "dep_"):
		return Subject{Deposit, id}, nil
	case strings.HasPrefix(id, "wd_"):
		return Subject{Withdrawal, id}, nil
	}
	return Subject{}, &walletcore.FieldError{
		Field: "id", Reason: "is not that of a deposit (dep_...), a withdrawal (wd_...) or an effect (dep_.../name)",
	}
}

// String is the id, which tells what it is of.
func (s Subject) String() string { return s.ID }
