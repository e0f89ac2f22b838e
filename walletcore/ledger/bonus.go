package ledger

import (
	"context"

	"github.com/walletctl/walletctl/walletcore"
)

// ChangeBonus grants, takes back or converts a bonus, once. Errors are those of
// [Ledger.CreditDeposit].
func (l *Ledger) ChangeBonus(ctx context.Context, c walletcore.BonusChange) (walletcore.Posted, error) {
	if err := c.Validate(); err != nil {
		return walletcore.Posted{}, err
	}
	outcome, err := l.postOne(ctx, Movement{
		Wallet:     c.Wallet,
		Kind:       c.Kind,
		ExternalID: c.BonusID,
		Amount:     c.Amount,
		Actor:      actorCasino,
		Reference:  c.CorrelationID,
		Details:    c.Details,
		OccurredAt: c.OccurredAt,
	})
	return outcome.Posted, err
}
