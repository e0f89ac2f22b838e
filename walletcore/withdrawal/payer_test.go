package withdrawal_test

import (
	"context"
	"sync"

	"github.com/walletctl/walletctl/walletcore/withdrawal"
)

// payer keeps the payouts that were asked for.
type payer struct {
	mu     sync.Mutex
	asked  []withdrawal.Payout
	before func(call int) error
	calls  int
}

func (p *payer) PublishPayout(_ context.Context, payout withdrawal.Payout) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls++
	if p.before != nil {
		if err := p.before(p.calls); err != nil {
			return err
		}
	}
	p.asked = append(p.asked, payout)
	return nil
}

func (p *payer) of(id string) []withdrawal.Payout {
	p.mu.Lock()
	defer p.mu.Unlock()
	var mine []withdrawal.Payout
	for _, payout := range p.asked {
		if payout.WithdrawalID == id {
			mine = append(mine, payout)
		}
	}
	return mine
}
