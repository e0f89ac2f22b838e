package withdrawal_test

import (
	"errors"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
	"github.com/walletctl/walletctl/walletcore/withdrawal"
)

// debitOther takes another amount under the id of the one withdrawal there is.
func (b *bench) debitOther(amount string) error {
	page, err := b.List(b.t.Context(), withdrawal.Filter{})
	if err != nil {
		return err
	}
	o := orderOf(&page[0])
	o.Amount = walletcore.MustParseMoney(amount)
	_, err = b.ledger.DebitWithdrawal(b.t.Context(), o)
	return err
}

// callOff rejects the one withdrawal there is.
func (b *bench) callOff() error {
	page, err := b.List(b.t.Context(), withdrawal.Filter{})
	if err != nil {
		return err
	}
	_, err = b.Apply(b.t.Context(), outcome(&page[0], walletcore.PaymentRejected))
	return err
}

func (b *bench) play(kind walletcore.Kind, amount string) error {
	results, err := b.ledger.Post(b.t.Context(), []ledger.Request{{{
		Wallet: player, Kind: kind, ExternalID: unique(string(kind)), Amount: walletcore.MustParseMoney(amount),
		Actor: "games", OccurredAt: time.Now(),
	}}})
	if err != nil {
		return err
	}
	return results[0].Err()
}

func (b *bench) bet(amount string) {
	b.t.Helper()
	require.NoError(b.t, b.play(walletcore.KindBet, amount))
}

func (b *bench) win(amount string) {
	b.t.Helper()
	require.NoError(b.t, b.play(walletcore.KindWin, amount))
}

// tryBet bets, and takes no for an answer.
func (b *bench) tryBet(amount string) error {
	err := b.play(walletcore.KindBet, amount)
	var refused *walletcore.RefusedError
	if errors.As(err, &refused) && refused.Code == walletcore.RefusedNoFunds {
		return nil
	}
	return err
}
