package withdrawal_test

import (
	"context"
	"sync"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
)

// wallet is the ledger with a bad line to it. before and after run with the
// number of the call, from 1; an error is the caller's answer. after runs when
// the money has moved.
type wallet struct {
	ledger *ledger.Ledger

	mu            sync.Mutex
	calls         map[walletcore.Kind]int
	before, after map[walletcore.Kind]func(call int) error
	forge         func(*walletcore.Withdrawn)
}

func (w *wallet) DebitWithdrawal(ctx context.Context, o walletcore.WithdrawalOrder) (walletcore.Withdrawn, error) {
	return w.call(walletcore.KindWithdrawal, func() (walletcore.Withdrawn, error) { return w.ledger.DebitWithdrawal(ctx, o) })
}

func (w *wallet) ReverseWithdrawal(ctx context.Context, o walletcore.WithdrawalOrder) (walletcore.Withdrawn, error) {
	return w.call(walletcore.KindWithdrawalReversal, func() (walletcore.Withdrawn, error) {
		return w.ledger.ReverseWithdrawal(ctx, o)
	})
}

func (w *wallet) call(kind walletcore.Kind, post func() (walletcore.Withdrawn, error)) (walletcore.Withdrawn, error) {
	w.mu.Lock()
	if w.calls == nil {
		w.calls = map[walletcore.Kind]int{}
	}
	w.calls[kind]++
	call, before, after, forge := w.calls[kind], w.before[kind], w.after[kind], w.forge
	w.mu.Unlock()
	if before != nil {
		if err := before(call); err != nil {
			return walletcore.Withdrawn{}, err
		}
	}
	answer, err := post()
	if err == nil && after != nil {
		err = after(call)
	}
	if forge != nil {
		forge(&answer)
	}
	return answer, err
}

func (w *wallet) asked(kind walletcore.Kind) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.calls[kind]
}

// upTo fails the first calls.
func upTo(n int, err error) func(int) error {
	return func(call int) error {
		if call <= n {
			return err
		}
		return nil
	}
}

func on(kind walletcore.Kind, hook func(int) error) map[walletcore.Kind]func(int) error {
	return map[walletcore.Kind]func(int) error{kind: hook}
}
