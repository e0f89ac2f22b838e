package httpapi

import (
	"time"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/withdrawal"
)

// withdrawalBody is a withdrawal as a brand's site sees it: without attempts,
// errors and receipts, which are for the operator's own tools. A time that has
// not come is null.
type withdrawalBody struct {
	ID          string            `json:"id"`
	Status      withdrawal.Status `json:"status"`
	Reason      string            `json:"reason"` // why it was rejected; empty where it was not
	Brand       string            `json:"brand"`
	User        string            `json:"user"`
	Currency    string            `json:"currency"`
	Amount      walletcore.Money  `json:"amount"`
	Gateway     string            `json:"gateway"`
	Account     string            `json:"account"`
	Destination string            `json:"destination"`
	CreatedAt   time.Time         `json:"created_at"`
	DebitedAt   *time.Time        `json:"debited_at"`
	PaidAt      *time.Time        `json:"paid_at"`
	RejectedAt  *time.Time        `json:"rejected_at"`
	ReversedAt  *time.Time        `json:"reversed_at"`
}

func withdrawalView(w *withdrawal.Withdrawal) withdrawalBody {
	return withdrawalBody{
		ID:          w.ID,
		Status:      w.Status,
		Reason:      w.Reason,
		Brand:       w.Brand,
		User:        w.User,
		Currency:    w.Currency,
		Amount:      w.Amount,
		Gateway:     w.Gateway,
		Account:     w.Account,
		Destination: w.Destination,
		CreatedAt:   w.CreatedAt,
		DebitedAt:   w.DebitedAt,
		PaidAt:      w.PaidAt,
		RejectedAt:  w.RejectedAt,
		ReversedAt:  w.ReversedAt,
	}
}
