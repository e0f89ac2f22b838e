package demo

import (
	"context"
	"fmt"

	"github.com/walletctl/walletctl/walletcore"
)

// lost is what casino asks gaming for while gaming's replies are lost.
type lost struct {
	kind    walletcore.Kind                             // of the entry that each gets
	begin   func(context.Context) ([]order, error)      // has casino ask
	unaware func(context.Context, []order) (int, error) // how many casino does not know to be done
	settle  func(context.Context) error                 // waits until it knows
}

// lostReplies: gaming commits credits, and its answers never arrive.
func (d *day) lostReplies(ctx context.Context) error {
	orders, err := d.place(ctx, 5, "generic", "lost")
	if err != nil {
		return err
	}
	unaware, err := d.lose(ctx, lost{
		kind:  walletcore.KindDeposit,
		begin: func(ctx context.Context) ([]order, error) { return orders, d.confirm(ctx, orders, 1) },
		unaware: func(ctx context.Context, orders []order) (int, error) {
			return d.countDeposits(ctx, orders, "confirmed")
		},
		settle: d.settle,
	})
	if err != nil {
		return err
	}
	d.say("noon      %d credits committed and their replies lost; asked again, gaming returned the receipts", unaware)
	return nil
}

// lose has a single gaming at work, whose replies are lost once it committed
// everything, and returns how many casino did not know of then.
func (d *day) lose(ctx context.Context, l lost) (int, error) {
	if err := d.services[gaming1].Terminate(ctx); err != nil {
		return 0, err
	}
	before, err := d.metric(ctx, gaming2, replayedMovements)
	if err != nil {
		return 0, err
	}
	unaware, err := d.commitUnheard(ctx, l)
	if err != nil {
		return 0, err
	}
	if err := l.settle(ctx); err != nil {
		return 0, err
	}
	after, err := d.metric(ctx, gaming2, replayedMovements)
	if err != nil {
		return 0, err
	}
	if unaware == 0 || after <= before {
		return 0, fmt.Errorf("no reply was lost: casino unaware of %d, replays %d before and %d after", unaware, before, after)
	}
	d.lost += unaware
	return unaware, d.start(ctx, gaming1)
}

func (d *day) commitUnheard(ctx context.Context, l lost) (int, error) {
	d.lossy.lose()
	defer d.lossy.heal()
	orders, err := l.begin(ctx)
	if err != nil {
		return 0, err
	}
	err = d.waitFor(ctx, "gaming's commits", func(ctx context.Context) (bool, error) {
		entries, err := d.countReceipts(ctx, orders, l.kind)
		return entries == len(orders), err
	})
	if err != nil {
		return 0, err
	}
	return l.unaware(ctx, orders)
}
