package ledger

import (
	"context"

	"github.com/walletctl/walletctl/walletcore"
)

// actorCasino is who asks for what comes over casino's RPC.
const actorCasino = "casino"

// CreditDeposit credits a confirmed deposit to its wallet's real balance,
// once, whoever asks how often. A repeat returns the original receipt. The
// error is a *walletcore.FieldError, *walletcore.ConflictError,
// *walletcore.RefusedError, *walletcore.NotLiveError, or an *[UnavailableError].
func (l *Ledger) CreditDeposit(ctx context.Context, c walletcore.DepositCredit) (walletcore.Posted, error) {
	if err := c.Validate(); err != nil {
		return walletcore.Posted{}, err
	}
	outcome, err := l.postOne(ctx, Movement{
		Wallet:     c.Wallet,
		Kind:       walletcore.KindDeposit,
		ExternalID: c.DepositID,
		Amount:     c.Amount,
		Actor:      actorCasino,
		Reference:  c.CorrelationID,
		Details:    c.Details,
		OccurredAt: c.OccurredAt,
	})
	return outcome.Posted, err
}

// postOne posts a single movement.
func (l *Ledger) postOne(ctx context.Context, m Movement) (Outcome, error) {
	results, err := l.Post(ctx, []Request{{m}})
	if err != nil {
		return Outcome{}, err
	}
	return results[0].Outcomes[0], results[0].Outcomes[0].Err
}
