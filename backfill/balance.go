package backfill

import (
	"iter"

	"github.com/walletctl/walletctl/walletcore"
)

// Balance is what one player held in one currency, elsewhere.
type Balance struct {
	User     string
	Currency string
	Real     walletcore.Money // below zero only as a debt
	Bonus    walletcore.Money
	Position string // where it stands in the source; kept with the wallet
}

func (b *Balance) parts() walletcore.Parts { return walletcore.Parts{Real: b.Real, Bonus: b.Bonus} }

// check says why a balance can never come in.
func (o *Opening) check(b *Balance) error {
	if err := o.wallet(b).Validate(); err != nil {
		return err
	}
	switch {
	case !b.Real.InRange() || !b.Bonus.InRange():
		return &walletcore.FieldError{Field: "balance", Reason: "is out of range: at most 10 digits before the point"}
	case b.Bonus.Sign() < 0:
		return ErrNegativeBonus
	case b.Real.Sign() < 0 && !o.o.AllowDebt:
		return ErrDebt
	}
	if b.Position == "" {
		return nil
	}
	return walletcore.CheckID("position", b.Position, walletcore.MaxExternalID)
}

func (o *Opening) wallet(b *Balance) walletcore.WalletKey {
	return walletcore.WalletKey{Brand: o.o.Brand, User: b.User, Currency: b.Currency}
}

// Sum reads balances to their end and returns what they come to, by currency.
// The error is the first of the source.
func Sum(balances iter.Seq2[Balance, error]) (Totals, error) {
	sums := newSums()
	for b, err := range balances {
		if err != nil {
			return nil, err
		}
		sums.add(&b)
	}
	return sums.totals(), nil
}
