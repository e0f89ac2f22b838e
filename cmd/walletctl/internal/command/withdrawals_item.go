package command

import (
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/job"
	"github.com/walletctl/walletctl/walletcore/withdrawal"
)

// withdrawalItem is a withdrawal in JSON.
type withdrawalItem struct {
	ID                string              `json:"id"`
	Brand             string              `json:"brand"`
	User              string              `json:"user"`
	Currency          string              `json:"currency"`
	Amount            walletcore.Money    `json:"amount"`
	Gateway           string              `json:"gateway"`
	Account           string              `json:"account"`
	Destination       string              `json:"destination"`
	IdempotencyKey    string              `json:"idempotency_key"`
	Status            withdrawal.Status   `json:"status"`
	Reason            string              `json:"reason,omitempty"` // of the rejection
	CreatedAt         time.Time           `json:"created_at"`
	DebitedAt         *time.Time          `json:"debited_at"`
	PayoutRequestedAt *time.Time          `json:"payout_requested_at"`
	PaidAt            *time.Time          `json:"paid_at"`
	RejectedAt        *time.Time          `json:"rejected_at"`
	ReversedAt        *time.Time          `json:"reversed_at"`
	CorrelationID     string              `json:"correlation_id"`
	Attempts          int                 `json:"attempts"`
	LastError         string              `json:"last_error,omitempty"`
	LastErrorClass    job.ErrorClass      `json:"last_error_class,omitempty"`
	LastErrorAt       *time.Time          `json:"last_error_at"`
	NextAttemptAt     *time.Time          `json:"next_attempt_at"`
	WalletID          uuid.UUID           `json:"wallet_id"`
	Receipt           *walletcore.Receipt `json:"receipt"`  // of the debit
	Reversal          *walletcore.Receipt `json:"reversal"` // of what gave it back
}

func withdrawalOf(w *withdrawal.Withdrawal) withdrawalItem {
	return withdrawalItem{
		ID: w.ID, Brand: w.Brand, User: w.User, Currency: w.Currency, Amount: w.Amount,
		Gateway: w.Gateway, Account: w.Account, Destination: w.Destination, IdempotencyKey: w.IdempotencyKey,
		Status: w.Status, Reason: w.Reason, CreatedAt: w.CreatedAt, DebitedAt: w.DebitedAt,
		PayoutRequestedAt: w.PayoutRequestedAt, PaidAt: w.PaidAt, RejectedAt: w.RejectedAt, ReversedAt: w.ReversedAt,
		CorrelationID: w.CorrelationID, Attempts: w.Attempts, LastError: w.LastError, LastErrorClass: w.LastErrorClass,
		LastErrorAt: w.LastErrorAt, NextAttemptAt: w.NextAttemptAt,
		WalletID: w.Wallet().ID(), Receipt: w.Receipt, Reversal: w.Reversal,
	}
}

// factColumns are a withdrawal without its receipts.
func factColumns() []output.Column {
	return output.Columns("id", "status", "reason", "brand", "user", "currency", ">amount", "gateway", "account",
		"destination", "idempotency_key", "created_at", "debited_at", "payout_requested_at", "paid_at", "rejected_at",
		"reversed_at", "correlation_id", ">attempts", "last_error", "last_error_class", "last_error_at",
		"next_attempt_at", "wallet_id")
}

// factRow has a cell for each of factColumns.
func factRow(w *withdrawal.Withdrawal) []string {
	return []string{
		w.ID, string(w.Status), w.Reason, w.Brand, w.User, w.Currency, w.Amount.String(), w.Gateway, w.Account,
		w.Destination, w.IdempotencyKey, instant(w.CreatedAt), instantOrNone(w.DebitedAt),
		instantOrNone(w.PayoutRequestedAt), instantOrNone(w.PaidAt), instantOrNone(w.RejectedAt),
		instantOrNone(w.ReversedAt), w.CorrelationID, strconv.Itoa(w.Attempts), w.LastError, string(w.LastErrorClass),
		instantOrNone(w.LastErrorAt), instantOrNone(w.NextAttemptAt), w.Wallet().ID().String(),
	}
}

func withdrawalColumns() []output.Column {
	return append(append(factColumns(), receiptColumns("debit_")...), receiptColumns("reversal_")...)
}

// withdrawalRow has a cell for each of withdrawalColumns.
func withdrawalRow(w *withdrawal.Withdrawal) []string {
	return append(append(factRow(w), receiptCells(w.Receipt)...), receiptCells(w.Reversal)...)
}
