package history

import (
	"github.com/google/uuid"

	"github.com/walletctl/walletctl/walletcore"
)

// Reason is the stable name of why a wallet's history is refused as a whole.
type Reason string

// The reasons.
const (
	// ReasonNoWallet: the ledger has no such wallet; it is to be brought in.
	ReasonNoWallet Reason = "no_wallet"
	// ReasonOpen: it does not end at the balance that the ledger begins with.
	ReasonOpen Reason = "does_not_close"
	// ReasonBalance: a row shows another balance than its movements make.
	ReasonBalance Reason = "balance"
	// ReasonDuplicate: a key stands there twice, with the same content.
	ReasonDuplicate Reason = "duplicate"
	// ReasonConflict: a key stands there twice, with other content.
	ReasonConflict Reason = "conflict"
	// ReasonTaken: a key is in the ledger already, below another entry.
	ReasonTaken Reason = "key_taken"
	// ReasonNewer: a row is newer than the ledger's own first entry.
	ReasonNewer Reason = "newer"
	// ReasonOverflow: a balance that no wallet can hold.
	ReasonOverflow Reason = "overflow"
)

// Refusal is a wallet whose history cannot be written, and the first row that
// does not fit.
type Refusal struct {
	WalletID uuid.UUID        `json:"wallet_id"`
	User     string           `json:"user"`
	Currency string           `json:"currency"`
	Reason   Reason           `json:"reason"`
	Position string           `json:"position"` // file:line; empty where no row is to blame
	Detail   string           `json:"detail"`
	Real     walletcore.Money `json:"real_difference"` // what the movements miss: ledger less history
	Bonus    walletcore.Money `json:"bonus_difference"`
}
