package ledger

import (
	"context"

	"github.com/walletctl/walletctl/walletcore"
)

// actorCasino is who asks for deposit credits.
const actorCasino = "casino"

// CreditDeposit credits a confirmed deposit to its wallet's real balance,
// once, whoever asks how often. A repeat returns the original receipt. The
// error is a *walletcore.FieldError, *walletcore.ConflictError,
// *walletcore.RefusedError, or an *[UnavailableError].
func (l *Ledger) CreditDeposit(ctx context.Context, c walletcore.DepositCredit) (walletcore.Posted, error) {
	if err := c.Validate(); err != nil {
		return walletcore.Posted{}, err
	}
	results, err := l.Post(ctx, []Request{{{
		Wallet:     c.Wallet,
		Kind:       walletcore.KindDeposit,
		ExternalID: c.DepositID,
		Amount:     c.Amount,
		Actor:      actorCasino,
		Reference:  c.CorrelationID,
		Details:    c.Details,
		OccurredAt: c.OccurredAt,
	}}})
	if err != nil {
		return walletcore.Posted{}, err
	}
	outcome := results[0].Outcomes[0]
	return outcome.Posted, outcome.Err
}
