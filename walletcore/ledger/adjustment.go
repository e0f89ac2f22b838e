package ledger

import (
	"context"
	"encoding/json"
	"fmt"
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

// Adjusted returns what a balance would be after an adjustment, and whether it
// takes real below zero, or further below: then only as a debt that was
// approved as such. The error is a *walletcore.RefusedError. Posting decides by
// the same.
func Adjusted(now, change walletcore.Parts, mayDebt bool) (after walletcore.Parts, below bool, err error) {
	after = walletcore.Parts{Real: now.Real.Add(change.Real), Bonus: now.Bonus.Add(change.Bonus)}
	below = change.Real.Sign() < 0 && after.Real.Sign() < 0
	switch {
	case after.Bonus.Sign() < 0:
		err = refuse(walletcore.RefusedNoFunds,
			fmt.Sprintf("an adjustment of %s needs more than the bonus of %s", change.Bonus, now.Bonus))
	case below && !mayDebt:
		err = refuse(walletcore.RefusedNoFunds,
			fmt.Sprintf("an adjustment of %s needs more than the balance of %s", change.Real, now.Real))
	case !after.Real.InRange() || !after.Bonus.InRange():
		err = refuse(walletcore.RefusedOverflow, "the balance would not fit: at most 10 digits before the point")
	}
	return after, below && err == nil, err
}
