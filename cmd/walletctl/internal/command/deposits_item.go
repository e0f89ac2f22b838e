package command

import (
	"strconv"
	"time"

	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/deposit"
	"github.com/walletctl/walletctl/walletcore/job"
)

// depositItem is a deposit in JSON.
type depositItem struct {
	ID             string              `json:"id"`
	Brand          string              `json:"brand"`
	User           string              `json:"user"`
	Currency       string              `json:"currency"`
	Amount         walletcore.Money    `json:"amount"`
	Gateway        string              `json:"gateway"`
	Account        string              `json:"account"`
	IdempotencyKey string              `json:"idempotency_key"`
	Status         deposit.Status      `json:"status"`
	CreatedAt      time.Time           `json:"created_at"`
	ExpiresAt      time.Time           `json:"expires_at"`
	ConfirmedAt    *time.Time          `json:"confirmed_at"`
	CreditedAt     *time.Time          `json:"credited_at"`
	ChargedBackAt  *time.Time          `json:"charged_back_at"`
	CorrelationID  string              `json:"correlation_id,omitempty"`
	Attempts       int                 `json:"attempts"`
	LastError      string              `json:"last_error,omitempty"`
	LastErrorClass job.ErrorClass      `json:"last_error_class,omitempty"`
	LastErrorAt    *time.Time          `json:"last_error_at"`
	NextAttemptAt  *time.Time          `json:"next_attempt_at"`
	Receipt        *walletcore.Receipt `json:"receipt"`
}

func depositOf(d *deposit.Deposit) depositItem {
	return depositItem{
		ID: d.ID, Brand: d.Brand, User: d.User, Currency: d.Currency, Amount: d.Amount,
		Gateway: d.Gateway, Account: d.Account, IdempotencyKey: d.IdempotencyKey, Status: d.Status,
		CreatedAt: d.CreatedAt, ExpiresAt: d.ExpiresAt, ConfirmedAt: d.ConfirmedAt, CreditedAt: d.CreditedAt,
		ChargedBackAt: d.ChargedBackAt, CorrelationID: d.CorrelationID, Attempts: d.Attempts,
		LastError: d.LastError, LastErrorClass: d.LastErrorClass, LastErrorAt: d.LastErrorAt,
		NextAttemptAt: d.NextAttemptAt, Receipt: d.Receipt,
	}
}

func depositColumns() []output.Column {
	return append(output.Columns("id", "status", "brand", "user", "currency", ">amount", "gateway", "account", "idempotency_key",
		"created_at", "expires_at", "confirmed_at", "credited_at", "charged_back_at", "correlation_id",
		">attempts", "last_error", "last_error_class", "last_error_at", "next_attempt_at", "wallet_id"), receiptColumns("")...)
}

// depositRow has a cell for each of depositColumns; those of the receipt are
// empty before there is one.
func depositRow(d *deposit.Deposit) []string {
	wallet := ""
	if d.Receipt != nil {
		wallet = d.Receipt.WalletID.String()
	}
	return append([]string{
		d.ID, string(d.Status), d.Brand, d.User, d.Currency, d.Amount.String(), d.Gateway, d.Account, d.IdempotencyKey,
		instant(d.CreatedAt), instant(d.ExpiresAt), instantOrNone(d.ConfirmedAt), instantOrNone(d.CreditedAt),
		instantOrNone(d.ChargedBackAt), d.CorrelationID,
		strconv.Itoa(d.Attempts), d.LastError, string(d.LastErrorClass), instantOrNone(d.LastErrorAt),
		instantOrNone(d.NextAttemptAt), wallet,
	}, receiptCells(d.Receipt)...)
}
