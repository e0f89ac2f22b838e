package demo

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/walletctl/walletctl/walletcore"
)

// payday: players take their money out, and whoever pays says everything three
// times, and one thing that is not true any more.
func (d *day) payday(ctx context.Context) (err error) {
	if d.payer, err = startPayer(ctx, d.platform); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.payer.stop(ctx)) }()
	for _, part := range []func(context.Context) error{d.ordinary, d.lostDebits, d.paidTooLate} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	return nil
}

// withdraw asks for withdrawals of which the same becomes. Half of the outcomes
// come by the queue, half by webhook, and over some the payer dies.
func (d *day) withdraw(ctx context.Context, count int, becomes, prefix string) ([]order, error) {
	orders := make([]order, count)
	for i := range orders {
		orders[i] = order{
			Key: fmt.Sprintf("%s-%s-%d", d.run, prefix, i), Token: "DEMO_ACME_TOKEN", User: d.player(i), Gateway: "generic",
			Amount: fmt.Sprintf("%d.%02d", 2+i%3, i), Destination: becomes + []string{"-queue", "-webhook", "-queue-dies"}[i%3],
		}
	}
	return orders, d.placeAll(ctx, orders)
}

// ordinary: some are paid, some rejected, one is too much, one is sent again.
func (d *day) ordinary(ctx context.Context) (err error) {
	if d.paid, err = d.withdraw(ctx, 9, "paid", "payday"); err != nil {
		return err
	}
	if d.back, err = d.withdraw(ctx, 6, "rejected", "closed"); err != nil {
		return err
	}
	d.short = []order{{
		Key: d.run + "-short", Token: "DEMO_ACME_TOKEN", User: d.player(0), Gateway: "generic", Amount: "99999.00",
		Destination: "paid-queue",
	}}
	if err := d.placeAll(ctx, d.short); err != nil {
		return err
	}
	if err := d.askAgain(ctx, d.paid[0]); err != nil {
		return err
	}
	if err := d.settleWithdrawals(ctx); err != nil {
		return err
	}
	d.say("payday    %d withdrawals: %d paid, %d rejected and given back, 1 refused for want of funds; each outcome told three\n"+
		"          times, by queue or by webhook; the payer died over %d and was asked again: none paid twice",
		len(d.paid)+len(d.back)+len(d.short), len(d.paid), len(d.back), d.payer.repeated)
	return nil
}

// askAgain sends a request again: the same is the same withdrawal, another
// amount under its key is refused.
func (d *day) askAgain(ctx context.Context, o order) error {
	id, err := d.placeOne(ctx, casino2, o, http.StatusOK)
	if err != nil {
		return err
	}
	if id != o.ID {
		return fmt.Errorf("the same request again made withdrawal %s, must be %s", id, o.ID)
	}
	o.Amount = "9.99"
	status, _, err := d.create(ctx, casino1, o)
	return d.expect("a withdrawal's key with another amount", http.StatusConflict, status, err)
}

// lostDebits: gaming takes the money, and its answers never arrive.
func (d *day) lostDebits(ctx context.Context) error {
	unaware, err := d.lose(ctx, lost{
		kind: walletcore.KindWithdrawal,
		begin: func(ctx context.Context) ([]order, error) {
			orders, err := d.withdraw(ctx, 5, "paid", "unheard")
			d.paid = append(d.paid, orders...)
			return orders, err
		},
		unaware: func(ctx context.Context, orders []order) (int, error) {
			return d.countWithdrawals(ctx, orders, "requested")
		},
		settle: d.settleWithdrawals,
	})
	if err != nil {
		return err
	}
	d.say("          %d debits committed and their replies lost; asked again, gaming returned the receipts: paid once", unaware)
	return nil
}

// paidTooLate: a payout is reported paid after its money was given back. No
// machine can put that right.
func (d *day) paidTooLate(ctx context.Context) error {
	late := d.back[:1]
	if err := d.payer.revoke(ctx, late[0].ID); err != nil {
		return err
	}
	err := d.waitFor(ctx, "the case", func(ctx context.Context) (bool, error) {
		open, err := d.countCases(ctx, late)
		return open == 1, err
	})
	if err != nil {
		return err
	}
	d.cases++
	d.say("          one reported paid after its money was given back: a case, nothing moves")
	return d.settleWithdrawals(ctx)
}

// settleWithdrawals waits until every withdrawal is where it ends, and every
// message about them was handled.
func (d *day) settleWithdrawals(ctx context.Context) error {
	return d.waitFor(ctx, "the withdrawals", func(ctx context.Context) (bool, error) {
		paid, err := d.countWithdrawals(ctx, d.paid, "paid")
		if err != nil || paid != len(d.paid) {
			return false, err
		}
		back := slices.Concat(d.back, d.short)
		reversed, err := d.countWithdrawals(ctx, back, "reversed")
		if err != nil || reversed != len(back) {
			return false, err
		}
		handled, err := d.countMessages(ctx, d.withdrawals())
		return handled == d.payer.told(), err
	})
}
