package backfill

import (
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/walletctl/walletctl/walletcore"
)

var (
	// ErrRunning: another run opens this brand at the moment.
	ErrRunning = errors.New("another run opens this brand")
	// ErrDebt: a balance below zero, which was not declared to be a debt.
	ErrDebt = errors.New("is below zero and not declared as a debt")
	// ErrNegativeBonus: nobody owes a bonus.
	ErrNegativeBonus = errors.New("has a bonus below zero")
	// ErrForbidden: the login is no member of backfill.
	ErrForbidden = errors.New("this login may not open brands")
)

// StateError says that a brand is not where a step begins. Nothing was done.
type StateError struct {
	Brand string
	State walletcore.BrandState
	Want  walletcore.BrandState // from which, or to which, the step leads
}

func (e *StateError) Error() string {
	return fmt.Sprintf("brand %s is %s, not %s", e.Brand, e.State, e.Want)
}

// BalanceError says that a wallet came in before with another balance.
type BalanceError struct {
	Inside, Given walletcore.Parts
}

func (e *BalanceError) Error() string {
	return fmt.Sprintf("is in with another balance: real %s and bonus %s, given %s and %s",
		e.Inside.Real, e.Inside.Bonus, e.Given.Real, e.Given.Bonus)
}

// WalletError says why one wallet was not brought in. Those beside it were.
type WalletError struct {
	Position string // where its balance stands in the source
	Wallet   walletcore.WalletKey
	Err      error // ErrDebt, ErrNegativeBonus, a *BalanceError, a *walletcore.FieldError
}

func (e *WalletError) Error() string {
	text := "wallet " + e.Wallet.String() + " " + e.Err.Error()
	if e.Position != "" {
		text = e.Position + ": " + text
	}
	return text
}

// Unwrap returns the reason.
func (e *WalletError) Unwrap() error { return e.Err }

// PartialError says how far a run came that refused wallets, or that did not
// come to its end. The same run again goes on from there.
type PartialError struct {
	Brought
	Refusals []*WalletError // the first 1,000 of Refused
	Err      error          // what ended it early; nil where it came to its end
}

func (e *PartialError) Error() string {
	text := fmt.Sprintf("%d wallets came in, %d were in, %d were refused", e.In, e.Present, e.Refused)
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns what ended the run early.
func (e *PartialError) Unwrap() error { return e.Err }

// TotalsError says that a brand does not hold what was declared. It is not live.
type TotalsError struct {
	Differences []Difference
}

func (e *TotalsError) Error() string {
	lines := make([]string, len(e.Differences))
	for i, d := range e.Differences {
		lines[i] = d.String()
	}
	return "totals differ from what was declared: " + strings.Join(lines, "; ")
}

// HistoryError says that wallets lack the history that providers may still send
// again. The brand is not live.
type HistoryError struct {
	Wallets int64 // that lack it
}

func (e *HistoryError) Error() string {
	return fmt.Sprintf("%d wallets lack the history that providers may send again", e.Wallets)
}

// stepError names what the database refused.
func stepError(err error) error {
	var refused *pgconn.PgError
	if errors.As(err, &refused) && refused.Code == "42501" {
		return fmt.Errorf("%w: %s", ErrForbidden, refused.Message)
	}
	return err
}
