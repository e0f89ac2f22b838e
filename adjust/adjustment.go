package adjust

import (
	"time"

	"github.com/google/uuid"

	"github.com/walletctl/walletctl/walletcore"
)

// State is where an adjustment is.
type State string

// The states.
const (
	Requested State = "requested" // waits for an approver, or for a second one
	Approved  State = "approved"  // gaming posts it
	Posted    State = "posted"    // in the ledger; final
	Rejected  State = "rejected"  // an approver said no; final
	Cancelled State = "cancelled" // its requester took it back; final
	Expired   State = "expired"   // nobody decided in time; final
	Refused   State = "refused"   // gaming could not post it; final
)

// States lists them all.
func States() []State {
	return []State{Requested, Approved, Posted, Rejected, Cancelled, Expired, Refused}
}

// Ended reports whether nothing will happen any more.
func (s State) Ended() bool { return s != Requested && s != Approved }

// Adjustment is what was asked for, and how it stands. Times are UTC.
type Adjustment struct {
	ID          string           `json:"id"`
	State       State            `json:"state"`
	WalletID    uuid.UUID        `json:"wallet_id"`
	Brand       string           `json:"brand"`
	User        string           `json:"user"`
	Currency    string           `json:"currency"`
	Real        walletcore.Money `json:"real"`  // signed, main unit
	Bonus       walletcore.Money `json:"bonus"` // signed; one of the two is zero
	Reason      string           `json:"reason"`
	Ticket      string           `json:"ticket"`
	Note        string           `json:"note"`
	CorrectsSeq *int64           `json:"corrects_seq"` // the entry of the wallet that it corrects
	CaseRef     string           `json:"case,omitempty"`
	AllowDebt   bool             `json:"allow_debt"`
	NeedsTwo    bool             `json:"needs_two"` // it is above its requester's limits
	RequestedBy string           `json:"requested_by"`
	RequestedAt time.Time        `json:"requested_at"`
	ExpiresAt   time.Time        `json:"expires_at"`
	Approvers   []string         `json:"approved_by"` // logins, the first one first
	ApprovedAt  *time.Time       `json:"approved_at"` // by the last of them
	Receipt     *Receipt         `json:"receipt"`     // where it is posted
}

// Receipt is the entry that an adjustment became: what was applied.
type Receipt struct {
	Seq         int64            `json:"seq"`
	RealBefore  walletcore.Money `json:"real_before"`
	RealAfter   walletcore.Money `json:"real_after"`
	BonusBefore walletcore.Money `json:"bonus_before"`
	BonusAfter  walletcore.Money `json:"bonus_after"`
	RecordedAt  time.Time        `json:"recorded_at"`
}

// Amount is what changes, signed, whichever balance it is of.
func (a *Adjustment) Amount() walletcore.Money { return a.Real.Add(a.Bonus) }

// Change is the same by balance.
func (a *Adjustment) Change() walletcore.Parts {
	return walletcore.Parts{Real: a.Real, Bonus: a.Bonus}
}

// Balance names the balance that changes: real or bonus.
func (a *Adjustment) Balance() string {
	if a.Bonus.IsZero() {
		return "real"
	}
	return "bonus"
}

// Wallet is whose balance it is.
func (a *Adjustment) Wallet() walletcore.WalletKey {
	return walletcore.WalletKey{Brand: a.Brand, User: a.User, Currency: a.Currency}
}
