package demo

import (
	"context"
	"fmt"
	"time"

	"github.com/walletctl/walletctl/migrations"
)

// Run plays the day and writes its account. Any error means that something is
// not as it must be.
func Run(ctx context.Context, o Options) (err error) {
	begin := time.Now()
	if err := migrate(ctx, o); err != nil {
		return err
	}
	if err := openBrands(ctx, o); err != nil {
		return err
	}
	p, err := newPlatform(ctx, o)
	if p != nil {
		defer func() { p.close(ctx, err != nil) }()
	}
	if err != nil {
		return err
	}
	d := &day{platform: p}
	d.say("A day of deposits, a night of games, and payday: 2 casino and 2 gaming services over PostgreSQL with a replica, and RabbitMQ.")
	d.say("Shortened for the demo: %s\n", shortened)
	if err := d.startAll(ctx); err != nil {
		return err
	}
	for _, part := range []func(context.Context) error{
		d.morning, d.disorder, d.lostReplies, d.killing, d.mischief, d.night, d.payday, d.verify, d.stop,
	} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	d.account()
	if err := d.chaincheck(ctx); err != nil {
		return err
	}
	d.say("\nEverything is as it must be (%.1f s).", time.Since(begin).Seconds())
	return nil
}

func migrate(ctx context.Context, o Options) error {
	for _, schema := range []migrations.Schema{migrations.Gaming, migrations.Casino} {
		if _, err := migrations.Up(ctx, o.OwnerURL.Reveal(), schema); err != nil {
			return err
		}
	}
	return nil
}

// startAll starts gaming first: it declares the queue that casino sends to.
func (d *day) startAll(ctx context.Context) error {
	if err := d.start(ctx, gaming1); err != nil {
		return err
	}
	for _, name := range []string{gaming2, casino1, casino2} {
		if err := d.start(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

func (d *day) account() {
	d.say("\nThe account")
	for _, line := range []struct {
		what  string
		value any
	}{
		{"deposits credited, once each", len(d.orders)},
		{"their sum in EUR", sum(d.orders)},
		{"withdrawals debited once, paid by one payout each", len(d.paid)},
		{"their sum in EUR", sum(d.paid)},
		{"withdrawals debited once, given back once", len(d.back)},
		{"withdrawals refused by the wallet", len(d.short)},
		{"confirmations sent again, without effect", d.resends},
		{"game calls sent again, without effect", d.resent},
		{"outcomes of payouts told again, without effect", d.payer.retold},
		{"requests for payouts seen again, none paid twice", d.payer.repeated},
		{"replies lost and recovered", d.lost},
		{"services killed (-9) under load", d.killed},
		{"attempts refused at once", d.refused},
		{"messages that became a case", d.cases},
		{"effects published, one of each kind a deposit", 2 * len(d.orders)},
	} {
		d.say("  %-50s %12v", line.what, line.value)
	}
	d.say("\nEvery wallet holds what was credited without what was paid.\nThe check, on the replica")
}

func (d *day) say(format string, args ...any) {
	fmt.Fprintf(d.options.Out, format+"\n", args...)
}
