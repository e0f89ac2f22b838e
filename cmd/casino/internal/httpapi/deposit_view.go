package httpapi

import (
	"time"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/deposit"
)

// depositBody is a deposit as a brand's site sees it: without attempts, errors and
// receipts, which are for the operator's own tools. A time that has not come
// is null.
type depositBody struct {
	ID          string           `json:"id"`
	Status      deposit.Status   `json:"status"`
	Brand       string           `json:"brand"`
	User        string           `json:"user"`
	Currency    string           `json:"currency"`
	Amount      walletcore.Money `json:"amount"`
	Gateway     string           `json:"gateway"`
	Account     string           `json:"account"`
	CreatedAt   time.Time        `json:"created_at"`
	ExpiresAt   time.Time        `json:"expires_at"`
	ConfirmedAt *time.Time       `json:"confirmed_at"`
	CreditedAt  *time.Time       `json:"credited_at"`
}

func depositView(d *deposit.Deposit) depositBody {
	return depositBody{
		ID:          d.ID,
		Status:      d.Status,
		Brand:       d.Brand,
		User:        d.User,
		Currency:    d.Currency,
		Amount:      d.Amount,
		Gateway:     d.Gateway,
		Account:     d.Account,
		CreatedAt:   d.CreatedAt.UTC(),
		ExpiresAt:   d.ExpiresAt.UTC(),
		ConfirmedAt: d.ConfirmedAt,
		CreditedAt:  d.CreditedAt,
	}
}
