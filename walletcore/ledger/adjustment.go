package ledger

import (
	"context"
	"encoding/json"
	"time"

	"github.com/walletctl/walletctl/walletcore"
)

// Adjustment is a correction that one employee asked for and others approved.
// The database lets no other be posted.
type Adjustment struct {
	ID         string // the idempotency key
	Wallet     walletcore.WalletKey
	Change     walletcore.Parts // signed; one of the two is zero
	MayDebt    bool             // it may take real below zero
	Actor      string           // the login that asked
	Details    json.RawMessage  // reason, ticket, who approved; kept in the entry
	ApprovedAt time.Time
}

// PostAdjustment posts an approved adjustment, once. A repeat returns the
// original receipt. Errors are those of [Ledger.CreditDeposit].
func (l *Ledger) PostAdjustment(ctx context.Context, a Adjustment) (walletcore.Posted, error) {
	outcome, err := l.postOne(ctx, Movement{
		Wallet:     a.Wallet,
		Kind:       walletcore.KindAdjustment,
		ExternalID: a.ID,
		Change:     a.Change,
		Rules:      Rules{MayDebt: a.MayDebt},
		Actor:      a.Actor,
		Details:    a.Details,
		OccurredAt: a.ApprovedAt,
	})
	return outcome.Posted, err
}
