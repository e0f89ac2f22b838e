// Package play lets the callbacks of game providers play with the ledger. It
// translates: an action into one movement, a rollback into two, and back.
package play

import (
	"context"
	"errors"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
	"github.com/walletctl/walletctl/walletcore/provider"
)

// Options configure a [Wallet].
type Options struct {
	Ledger *ledger.Ledger // required
	Reader *ledger.Reader // required; on the primary, since balances are answered from it
	// Splits say, by brand, which balance pays a bet. A brand without one has
	// the default.
	Splits map[string]walletcore.SplitPolicy
}

// Wallet implements [provider.Wallet] on the ledger.
type Wallet struct {
	o Options
}

// New returns a wallet.
func New(o Options) (*Wallet, error) {
	if o.Ledger == nil || o.Reader == nil {
		return nil, errors.New("play needs a ledger and a reader")
	}
	for _, split := range o.Splits {
		if err := split.Validate(); err != nil {
			return nil, err
		}
	}
	return &Wallet{o: o}, nil
}

// Balance implements [provider.Wallet].
func (w *Wallet) Balance(ctx context.Context, key walletcore.WalletKey) (walletcore.Parts, error) {
	wallet, err := w.o.Reader.Wallet(ctx, key.ID())
	switch {
	case errors.Is(err, ledger.ErrNoWallet):
		return walletcore.Parts{}, nil
	case err != nil:
		return walletcore.Parts{}, err
	}
	return walletcore.Parts{Real: wallet.Real, Bonus: wallet.Bonus}, nil
}

// Posted implements [provider.Wallet].
func (w *Wallet) Posted(ctx context.Context, key walletcore.WalletKey, kind provider.Kind, id string) (bool, error) {
	for _, movement := range kinds[kind] {
		there, err := w.o.Reader.Posted(ctx, key.ID(), movement, id)
		if there || err != nil {
			return there, err
		}
	}
	return false, nil
}

// Play implements [provider.Wallet].
func (w *Wallet) Play(ctx context.Context, request provider.Request) (provider.Result, error) {
	movements := w.movements(&request)
	results, err := w.o.Ledger.Post(ctx, []ledger.Request{movements})
	if err != nil {
		return provider.Result{}, err
	}
	if err := notLive(results[0].Outcomes); err != nil {
		return provider.Result{}, err
	}
	posted := results[0].Outcomes
	result := provider.Result{Balance: results[0].Balance}
	for _, action := range request.Actions {
		n := len(kinds[action.Kind])
		result.Outcomes = append(result.Outcomes, outcome(posted[:n]))
		posted = posted[n:]
	}
	return result, nil
}

// notLive returns the *walletcore.NotLiveError of a request, nil where it has
// none. To a provider nothing was decided: it sends again.
func notLive(outcomes []ledger.Outcome) error {
	for i := range outcomes {
		var e *walletcore.NotLiveError
		if errors.As(outcomes[i].Err, &e) {
			return e
		}
	}
	return nil
}
