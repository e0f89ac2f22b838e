package ledger

import (
	"context"

	"github.com/walletctl/walletctl/walletcore"
)

// DebitWithdrawal takes a withdrawal's amount from its wallet's real balance,
// once. A repeat returns the original receipt, and how the withdrawal stands
// now: one that was given back, or closed before it came, can never be paid.
// Errors are those of [Ledger.CreditDeposit].
func (l *Ledger) DebitWithdrawal(ctx context.Context, o walletcore.WithdrawalOrder) (walletcore.Withdrawn, error) {
	return l.postWithdrawal(ctx, walletcore.KindWithdrawal, o)
}

// ReverseWithdrawal gives a withdrawal's amount back, once. One that was never
// debited is closed: it never will be. Errors are those of
// [Ledger.CreditDeposit].
func (l *Ledger) ReverseWithdrawal(ctx context.Context, o walletcore.WithdrawalOrder) (walletcore.Withdrawn, error) {
	return l.postWithdrawal(ctx, walletcore.KindWithdrawalReversal, o)
}

func (l *Ledger) postWithdrawal(ctx context.Context, kind walletcore.Kind, o walletcore.WithdrawalOrder) (walletcore.Withdrawn, error) {
	if err := o.Validate(); err != nil {
		return walletcore.Withdrawn{}, err
	}
	outcome, err := l.postOne(ctx, Movement{
		Wallet:     o.Wallet,
		Kind:       kind,
		ExternalID: o.WithdrawalID,
		Amount:     o.Amount,
		Actor:      actorCasino,
		Reference:  o.CorrelationID,
		Details:    o.Details,
		OccurredAt: o.OccurredAt,
	})
	if err != nil {
		return walletcore.Withdrawn{}, err
	}
	return walletcore.Withdrawn{Posted: outcome.Posted, State: withdrawalState(&outcome)}, nil
}

// withdrawalState reads off an outcome how the withdrawal stands now.
func withdrawalState(o *Outcome) walletcore.WithdrawalState {
	switch {
	case o.Posted.Receipt.Mark != "":
		return walletcore.WithdrawalClosed
	case o.Undone || o.Posted.Receipt.Kind == walletcore.KindWithdrawalReversal:
		return walletcore.WithdrawalReversed
	}
	return walletcore.WithdrawalDebited
}
