package rpc

import (
	"context"
	"errors"

	"github.com/walletctl/walletctl/walletcore"
)

// Wallet posts what casino asks for: the ledger. Each method posts once,
// whatever happens and however often it is called, and returns the receipt. An
// error with a method Unavailable that returns true says that nothing can be
// posted now; one with a method Retryable that returns true, that this order
// could not. Neither uses up a delivery of the request.
type Wallet interface {
	CreditDeposit(ctx context.Context, c walletcore.DepositCredit) (walletcore.Posted, error)
	DebitWithdrawal(ctx context.Context, o walletcore.WithdrawalOrder) (walletcore.Withdrawn, error)
	ReverseWithdrawal(ctx context.Context, o walletcore.WithdrawalOrder) (walletcore.Withdrawn, error)
	ChangeBonus(ctx context.Context, c walletcore.BonusChange) (walletcore.Posted, error)
}

// call is a request made ready.
type call struct {
	id   string // the order's own, for the log
	post func(ctx context.Context, w Wallet) (walletcore.Withdrawn, error)
}

// methods makes a call of a request, by the type of its message.
var methods = map[string]func(r *request) (*call, error){
	CreditKey: func(r *request) (*call, error) {
		if r.Credit == nil {
			return nil, errors.New("has no credit")
		}
		return &call{r.Credit.DepositID, func(ctx context.Context, w Wallet) (walletcore.Withdrawn, error) {
			return stateless(w.CreditDeposit(ctx, *r.Credit))
		}}, nil
	},
	DebitKey: func(r *request) (*call, error) {
		return withdrawalCall(r.Withdrawal, Wallet.DebitWithdrawal)
	},
	ReverseKey: func(r *request) (*call, error) {
		return withdrawalCall(r.Withdrawal, Wallet.ReverseWithdrawal)
	},
	BonusKey: func(r *request) (*call, error) {
		if r.Bonus == nil {
			return nil, errors.New("has no bonus")
		}
		return &call{r.Bonus.BonusID, func(ctx context.Context, w Wallet) (walletcore.Withdrawn, error) {
			return stateless(w.ChangeBonus(ctx, *r.Bonus))
		}}, nil
	},
}

func withdrawalCall(o *walletcore.WithdrawalOrder,
	post func(Wallet, context.Context, walletcore.WithdrawalOrder) (walletcore.Withdrawn, error),
) (*call, error) {
	if o == nil {
		return nil, errors.New("has no withdrawal")
	}
	return &call{o.WithdrawalID, func(ctx context.Context, w Wallet) (walletcore.Withdrawn, error) {
		return post(w, ctx, *o)
	}}, nil
}

// stateless is the answer to an order whose receipt says everything.
func stateless(p walletcore.Posted, err error) (walletcore.Withdrawn, error) {
	return walletcore.Withdrawn{Posted: p}, err
}
