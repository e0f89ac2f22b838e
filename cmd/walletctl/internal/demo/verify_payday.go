package demo

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/walletctl/walletctl/walletcore"
)

// verifyPayday asserts what must be true of the withdrawals: in the ledger, in
// casino's records and the payer's, and over all of the money.
func (d *day) verifyPayday(ctx context.Context) error {
	for _, check := range []func(context.Context) error{d.verifyDebits, d.verifyPayouts, d.verifyCases, d.verifyBalances} {
		if err := check(ctx); err != nil {
			return err
		}
	}
	return nil
}

// moved is what the ledger has of one withdrawal: the entries of its debit and
// of its reversal, and what they took and gave.
type moved struct {
	debits, reversals int
	taken, given      walletcore.Money
}

// verifyDebits: each withdrawal is debited once and reversed at most once, and
// one that the wallet refused never moved anything: its id is closed.
func (d *day) verifyDebits(ctx context.Context) error {
	want := map[string]moved{}
	for _, o := range d.paid {
		want[o.ID] = moved{debits: 1, taken: walletcore.MustParseMoney(o.Amount)}
	}
	for _, o := range d.back {
		amount := walletcore.MustParseMoney(o.Amount)
		want[o.ID] = moved{debits: 1, reversals: 1, taken: amount, given: amount}
	}
	for _, o := range d.short {
		want[o.ID] = moved{reversals: 1}
	}
	got, err := d.movedBy(ctx, d.withdrawals())
	if err != nil {
		return fmt.Errorf("read the ledger: %w", err)
	}
	for id, w := range want {
		if got[id] != w {
			return fmt.Errorf("the ledger has of withdrawal %s %+v, must be %+v", id, got[id], w)
		}
	}
	return nil
}

func (d *day) withdrawals() []order { return slices.Concat(d.paid, d.back, d.short) }

func (p *platform) movedBy(ctx context.Context, orders []order) (map[string]moved, error) {
	rows, err := p.gamingDB.Query(ctx, `
select external_id,
  count(*) filter (where kind = 'withdrawal'),
  count(*) filter (where kind = 'withdrawal_reversal'),
  coalesce(sum(real_before - real_after) filter (where kind = 'withdrawal'), 0),
  coalesce(sum(real_after - real_before) filter (where kind = 'withdrawal_reversal'), 0)
from gaming.entries
where kind in ('withdrawal', 'withdrawal_reversal') and external_id = any($1)
group by external_id`, ids(orders))
	if err != nil {
		return nil, err
	}
	byID := map[string]moved{}
	var id string
	var m moved
	_, err = pgx.ForEachRow(rows, []any{&id, &m.debits, &m.reversals, &m.taken, &m.given}, func() error {
		byID[id] = m
		return nil
	})
	return byID, err
}

// verifyPayouts: money left once for each withdrawal that is paid, and for no
// other, in the payer's own records; casino has the same payouts.
func (d *day) verifyPayouts(ctx context.Context) error {
	for _, o := range d.paid {
		if d.payer.paid[o.ID] != 1 {
			return fmt.Errorf("withdrawal %s was paid out %d times, must be once", o.ID, d.payer.paid[o.ID])
		}
	}
	payouts, err := count(ctx, d.casinoDB, `
select count(*)
from casino.payouts
where withdrawal_id = any($1) and payout_id = 'po-' || withdrawal_id`, ids(d.paid))
	if err != nil {
		return fmt.Errorf("read payouts: %w", err)
	}
	others, err := count(ctx, d.casinoDB, `
select count(*)
from casino.payouts
where withdrawal_id = any($1)`, ids(d.withdrawals()))
	if err != nil {
		return fmt.Errorf("read payouts: %w", err)
	}
	if len(d.payer.paid) != len(d.paid) || payouts != len(d.paid) || others != payouts {
		return fmt.Errorf("%d withdrawals were paid out, and casino has %d payouts of %d withdrawals, must be %d",
			len(d.payer.paid), others, payouts, len(d.paid))
	}
	return nil
}

// verifyCases: one, about what was reported paid and had been given back.
func (d *day) verifyCases(ctx context.Context) error {
	rows, err := d.casinoDB.Query(ctx, `
select subject_id || ' ' || kind
from casino.cases
where subject_id = any($1)`, ids(d.withdrawals()))
	if err != nil {
		return fmt.Errorf("read cases: %w", err)
	}
	cases, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("read cases: %w", err)
	}
	if want := []string{d.back[0].ID + " paid_after_rejection"}; !slices.Equal(cases, want) {
		return fmt.Errorf("the cases about withdrawals are %q, must be %q", cases, want)
	}
	return nil
}

// verifyBalances: each player has what casino credited, without what it paid.
// The games took nothing: what was staked was given back.
func (d *day) verifyBalances(ctx context.Context) error {
	owed, err := d.sums(ctx, d.casinoDB, `
select user_id, sum(amount)
from (
  select user_id, amount from casino.deposits where status = 'credited'
  union all
  select user_id, -amount from casino.withdrawals where status = 'paid') movements
where user_id = any($1)
group by user_id`)
	if err != nil {
		return fmt.Errorf("sum up payments: %w", err)
	}
	held, err := d.sums(ctx, d.gamingDB, `
select user_id, real + bonus
from gaming.wallets
where user_id = any($1)`)
	if err != nil {
		return fmt.Errorf("read balances: %w", err)
	}
	for i := range players {
		player := d.player(i)
		if owed[player] != held[player] {
			return fmt.Errorf("the wallet of %s holds %s, must be %s", player, held[player], owed[player])
		}
	}
	return nil
}

// sums reads an amount for each player.
func (d *day) sums(ctx context.Context, db *pgxpool.Pool, query string) (map[string]walletcore.Money, error) {
	users := make([]string, players)
	for i := range users {
		users[i] = d.player(i)
	}
	rows, err := db.Query(ctx, query, users)
	if err != nil {
		return nil, err
	}
	byUser := map[string]walletcore.Money{}
	var user string
	var amount walletcore.Money
	_, err = pgx.ForEachRow(rows, []any{&user, &amount}, func() error {
		byUser[user] = amount
		return nil
	})
	return byUser, err
}
