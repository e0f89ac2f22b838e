package demo

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/walletctl/walletctl/walletcore"
)

// morning: ordinary deposits, by two gateways that send everything three times.
func (d *day) morning(ctx context.Context) error {
	for _, gateway := range []string{"generic", "stripe"} {
		orders, err := d.place(ctx, 20, gateway, "morning-"+gateway)
		if err != nil {
			return err
		}
		if err := d.confirm(ctx, orders, 3); err != nil {
			return err
		}
	}
	d.say("morning   40 deposits by two gateways, each confirmation sent three times at once")
	return d.settle(ctx)
}

// disorder: messages out of order. Money that came late counts, and what was
// confirmed stays so.
func (d *day) disorder(ctx context.Context) error {
	orders, err := d.place(ctx, 6, "generic", "disorder")
	if err != nil {
		return err
	}
	for i, o := range orders {
		early := notice{Status: []string{"expired", "failed"}[i%2], Payment: "pay-" + o.Key}
		if err := d.send(ctx, casino1, o, early); err != nil {
			return err
		}
	}
	if err := d.waitFor(ctx, "the early messages", func(ctx context.Context) (bool, error) {
		open, err := d.countDeposits(ctx, orders, "pending")
		return open == 0, err
	}); err != nil {
		return err
	}
	if err := d.confirm(ctx, orders, 1); err != nil {
		return err
	}
	for _, o := range orders {
		if err := d.send(ctx, casino2, o, notice{Status: "failed", Payment: "late-" + o.Key}); err != nil {
			return err
		}
	}
	d.say("disorder  6 deposits expired or failed, then confirmed, then \"failed\" again: confirmed wins")
	return d.settle(ctx)
}

// killing: kill -9 of a gaming replica while credits are under way.
func (d *day) killing(ctx context.Context) error {
	orders, err := d.place(ctx, 30, "generic", "killing")
	if err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- d.confirm(ctx, orders, 2) }()
	err = d.waitFor(ctx, "credits under way", func(ctx context.Context) (bool, error) {
		entries, err := d.countReceipts(ctx, orders, walletcore.KindDeposit)
		return entries > 0, err
	})
	if err != nil {
		return err
	}
	d.services[gaming1].Kill()
	delete(d.services, gaming1)
	d.killed++
	if err := <-done; err != nil {
		return err
	}
	if err := d.settle(ctx); err != nil {
		return err
	}
	d.say("evening   kill -9 of a gaming replica in the middle of 30 credits: the other one took over")
	return d.start(ctx, gaming1)
}

// mischief: what must move nothing.
func (d *day) mischief(ctx context.Context) error {
	orders, err := d.place(ctx, 4, "generic", "mischief")
	if err != nil {
		return err
	}
	paid := d.orders[0]
	status, err := d.notify(ctx, casino1, orders[0], notice{Status: "confirmed", Payment: "forged", Secret: "DEMO_BRAVO_SECRET"})
	if err := d.expect("a webhook with another brand's signature", http.StatusUnauthorized, status, err); err != nil {
		return err
	}
	status, err = d.get(ctx, casino1, "DEMO_BRAVO_TOKEN", paid.ID)
	if err := d.expect("another brand's token", http.StatusNotFound, status, err); err != nil {
		return err
	}
	changed := paid
	changed.Amount = "9999.00"
	status, _, err = d.create(ctx, casino2, changed)
	if err := d.expect("the same key with another amount", http.StatusConflict, status, err); err != nil {
		return err
	}
	if err := d.misfits(ctx, orders, paid); err != nil {
		return err
	}
	return d.editByHand(ctx)
}

// misfits are signed messages that cannot be applied: each becomes a case for a
// person.
func (d *day) misfits(ctx context.Context, orders []order, paid order) error {
	for _, misfit := range []struct {
		order  order
		notice notice
	}{
		{orders[0], notice{Status: "confirmed", Payment: "short-" + d.run, Amount: "1.00"}},
		{orders[1], notice{Status: "confirmed", Payment: "pay-" + paid.Key}}, // paid for another one
		{orders[2], notice{Status: "confirmed", Payment: "bravo-" + d.run, Account: "bravo-eu", Secret: "DEMO_BRAVO_SECRET"}},
	} {
		if err := d.send(ctx, casino1, misfit.order, misfit.notice); err != nil {
			return err
		}
	}
	d.uncredit = orders
	err := d.waitFor(ctx, "the cases", func(ctx context.Context) (bool, error) {
		var err error
		d.cases, err = d.countCases(ctx, orders)
		return d.cases == 3, err
	})
	if err != nil {
		return err
	}
	d.say("mischief  forged signature, foreign token, changed amount: refused; short payment, payment used twice,\n" +
		"          another brand's gateway: a case each, nothing credited")
	return nil
}

// editByHand tries what the database itself refuses, even to gaming.
func (d *day) editByHand(ctx context.Context) error {
	for _, statement := range []string{
		`update gaming.wallets set real = real + 1000`,
		`delete from gaming.entries`,
		`update gaming.entries set actor = 'me'`,
	} {
		_, err := d.gamingDB.Exec(ctx, statement)
		if err == nil {
			return fmt.Errorf("the database let this through: %s", statement)
		}
		if !strings.Contains(err.Error(), "SQLSTATE 42501") && !strings.Contains(err.Error(), "SQLSTATE WL0") {
			return fmt.Errorf("the database refused %q for another reason: %w", statement, err)
		}
		d.refused++
	}
	d.say("by hand   SQL as gaming: a balance without its entry, changing and deleting entries: refused by PostgreSQL")
	return nil
}
