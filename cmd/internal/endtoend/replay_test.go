package endtoend_test

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
	"github.com/walletctl/walletctl/walletcore/rpc"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// impatient services give up soon.
var impatient = settings{
	"RPC_TIMEOUT": "1s", "CREDIT_TIMEOUT": "3s", "CREDIT_RETRY_BASE": "20ms", "SWEEP_INTERVAL": "1s",
}

// trouble is a way to exhaust every call to gaming, and its repair.
type trouble struct {
	name  string
	begin func(p *platform)
	end   func(p *platform)
}

var troubles = []trouble{
	{
		name:  "gaming is down",
		begin: func(p *platform) { p.stop(p.gaming.Load()) },
		end:   func(p *platform) { p.startGaming(nil) },
	},
	{
		name: "its queue is gone",
		begin: func(p *platform) {
			p.stop(p.gaming.Load())
			p.broker.DeleteQueue(p.t, rpc.CallsQueue)
		},
		end: func(p *platform) { p.startGaming(nil) },
	},
	{
		name:  "its database takes no writes",
		begin: func(p *platform) { p.readOnly("on") },
		end: func(p *platform) {
			p.readOnly("off")
			p.broker.WaitForConsumers(p.t, rpc.CallsQueue, 1) // it had paused
		},
	},
}

// readOnly turns gaming's database to one that takes no writes, or back.
func (p *platform) readOnly(on string) {
	p.t.Helper()
	p.exec(fmt.Sprintf(`alter role gaming in database %q set default_transaction_read_only = %s`, p.db.Name, on))
	p.exec(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'gaming' and datname = current_database()`)
}

func TestReplay_ACreditThatWasExhaustedIsCreditedOnce(t *testing.T) {
	t.Parallel()
	for _, trouble := range troubles {
		t.Run(strings.ReplaceAll(trouble.name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			p := newRunning(t, impatient)
			ana := p.oncall("ana")
			p.broker.WaitForConsumers(t, rpc.CallsQueue, 1)
			trouble.begin(p)
			d := p.create(order{})
			p.pay(d)
			p.waitCase(d.ID, "credit_exhausted")
			failed := ana.replay(1, d.ID)
			require.Equal(t, "failed", failed.Outcome)
			require.NotEmpty(t, failed.Error)
			require.Nil(t, failed.Receipt)

			trouble.end(p)
			first := ana.replay(0, d.ID)
			require.Equal(t, "credited", first.Status)
			require.Equal(t, d.ID, first.Receipt.ExternalID)
			second := ana.replay(0, d.ID)
			require.Equal(t, first, second)
			p.requireWhole([]deposit{d}, expected{})
			stuck, _ := ana.run(0, "stuck", "list", "-o", "csv")
			require.NotContains(t, stuck, d.ID)
			story, _ := ana.run(0, "explain", "deposit", d.ID)
			require.Contains(t, story, "entry: deposit")
			for _, secret := range p.secrets() {
				require.NotContains(t, story, secret)
			}
		})
	}
}

// The ledger has the deposit's id with other content: it never succeeds, and
// nothing moves however often it is sent.
func TestReplay_WhatNeverSucceedsFailsEachTimeAndMovesNothing(t *testing.T) {
	t.Parallel()
	p := newRunning(t, impatient)
	d := p.create(order{})
	l, err := ledger.New(ledger.Options{Pool: p.db.Pool(t, wallettest.Gaming), Keys: p.keys})
	require.NoError(t, err)
	_, err = l.CreditDeposit(t.Context(), walletcore.DepositCredit{
		DepositID: d.ID, Wallet: walletcore.WalletKey{Brand: d.Brand, User: "u-2", Currency: d.Currency},
		Amount: walletcore.MustParseMoney(d.Amount), OccurredAt: time.Now(),
	})
	require.NoError(t, err)
	p.pay(d)
	p.waitCase(d.ID, "key_conflict")
	ana := p.oncall("ana")
	for range 2 {
		r := ana.replay(1, d.ID)
		require.Equal(t, "failed", r.Outcome)
		require.Equal(t, "conflict", r.Class)
	}
	require.Equal(t, []string{"key_conflict"}, p.openCases())
	require.Equal(t, "confirmed", p.status(d))
	require.Equal(t, 1, p.entries(d))
	wallettest.RequireClosed(t, p.admin, p.keys)
}

func TestReplay_TwoPeopleAtTheSameTimeCreditOnceAndBothAreTold(t *testing.T) {
	t.Parallel()
	p := newRunning(t, impatient)
	p.stop(p.gaming.Load())
	d := p.create(order{})
	p.pay(d)
	p.waitCase(d.ID, "credit_exhausted")
	p.startGaming(nil)
	people := []oncall{p.oncall("ana"), p.oncall("bea")}
	told := make([]replayed, len(people))
	var wait sync.WaitGroup
	for i, person := range people {
		wait.Go(func() { told[i] = person.replay(0, d.ID) })
	}
	wait.Wait()
	require.Equal(t, told[0], told[1])
	p.requireWhole([]deposit{d}, expected{})
	require.Equal(t, 2, p.count(`select count(distinct actor) from casino.replays`))
}

func TestReplay_ADebitAndAReversalThatWereExhausted(t *testing.T) {
	t.Parallel()
	for _, trouble := range troubles {
		t.Run(strings.ReplaceAll(trouble.name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			p := rich(t, impatient)
			ana := p.oncall("ana")
			p.broker.WaitForConsumers(t, rpc.CallsQueue, 1)
			trouble.begin(p)
			w := p.withdraw("20", "k-1")
			p.waitCase(w.ID, "debit_exhausted")
			require.Equal(t, "failed", ana.replay(1, w.ID).Outcome)
			trouble.end(p)
			debit := ana.replay(0, w.ID)
			require.Equal(t, "withdrawal", debit.Receipt.Kind)
			require.Equal(t, "80.00000000", debit.Receipt.RealAfter)
			await(t, "the payout to be asked for", func() bool { return p.broker.Depth(t, "casino.payouts") == 1 })
			require.Equal(t, "not_due", ana.replay(1, w.ID).Outcome)

			trouble.begin(p)
			p.tell(w, "rejected")
			p.waitCase(w.ID, "reversal_exhausted")
			require.Equal(t, "failed", ana.replay(1, w.ID).Outcome)
			trouble.end(p)
			back := ana.replay(0, w.ID)
			require.Equal(t, "reversed", back.Status)
			require.Equal(t, "withdrawal_reversal", back.Receipt.Kind)
			require.Equal(t, back, ana.replay(0, w.ID))
			p.requireEnd(w, "reversed", "100.00000000")
			require.Empty(t, p.openCases())
			require.Len(t, p.payouts(), 1, "none but the one before it was given back")
		})
	}
}

// What was given back is never paid, however often it is sent again.
func TestReplay_AWithdrawalThatWasGivenBackAsksForNoPayout(t *testing.T) {
	t.Parallel()
	p := rich(t, impatient)
	ana := p.oncall("ana")
	p.stop(p.gaming.Load())
	w := p.withdraw("20", "k-1")
	p.waitCase(w.ID, "debit_exhausted")
	p.tell(w, "rejected")
	p.waitWithdrawal(w, "rejected")
	p.startGaming(nil)
	ana.replay(0, w.ID)
	for range 3 {
		r := ana.replay(0, w.ID)
		require.Equal(t, "done", r.Outcome)
		require.Equal(t, "reversed", r.Status)
	}
	p.requireEnd(w, "reversed", "100.00000000")
	require.Empty(t, p.payouts())
	require.Empty(t, p.openCases())
}

// manyStuck puts deposits into casino that ran out of retries long ago.
func (p *platform) manyStuck(n int) []deposit {
	p.t.Helper()
	p.exec(`
with made as (
  insert into casino.deposits (id, brand_id, user_id, currency, amount, gateway, account, idempotency_key, created_at, expires_at)
  select format('dep_%s', to_char(i, 'FM000000')), 'acme', format('u-%s', i % 50), 'EUR', 1, 'pix', 'acme-main', i, now(), now()
  from generate_series(1, $1::int) i
  returning id),
paid as (
  insert into casino.payments (gateway, account, payment_id, deposit_id, amount, currency, message_id)
  select 'pix', 'acme-main', id, id, 1, 'EUR', 'm-' || id from made)
insert into casino.cases (brand_id, subject_type, subject_id, kind, cause, detail)
select 'acme', 'deposit', id, 'credit_exhausted', 'job', '{}' from made order by id`, n)
	p.exec(`
insert into casino.river_job (kind, args, queue, state, attempt, max_attempts, finalized_at)
select 'deposit_credit', jsonb_build_object('deposit_id', id, 'correlation_id', id), 'credit', 'discarded', 6, 6, now()
from casino.deposits order by id`)
	p.exec(`
update casino.deposits d
set status = 'confirmed', confirmed_at = now(), correlation_id = d.id, job_id = j.id, attempts = 6, last_error = 'no answer',
  last_error_class = 'timeout', last_error_at = now()
from casino.river_job j where j.args->>'deposit_id' = d.id`)
	var all []deposit
	for _, id := range p.texts(`select id from casino.deposits order by id`) {
		all = append(all, deposit{ID: id})
	}
	return all
}

// A bulk run is killed in the middle, interrupted in the middle, and goes on
// where it was by the same command.
func TestReplay_ABulkSurvivesKillAndGoesOnWhereItWas(t *testing.T) {
	t.Parallel()
	n, rate := 300, 150
	if os.Getenv("WALLET_SOAK") != "" {
		n, rate = 10_000, 500
	}
	p := newRunning(t, nil)
	all := p.manyStuck(n)
	ana := p.oncall("ana")
	began := time.Now()
	ana.run(0, "stuck", "list", "-o", "json", "--limit", "100000")
	t.Logf("listing %d took %s", n, time.Since(began).Round(time.Millisecond))
	bulk := []string{
		"replay", "--all-stuck", "--brand", "acme", "--rate", fmt.Sprint(rate), "-o", "json", "--confirm", fmt.Sprintf("%d.00 EUR", n),
	}
	credited := func() int { return p.count(`select count(*) from casino.deposits where status = 'credited'`) }

	killed, _, _ := ana.command(bulk...)
	require.NoError(t, killed.Start())
	await(t, "the run to be in its middle", func() bool { return credited() >= n/5 })
	require.NoError(t, killed.Process.Kill())
	require.Error(t, killed.Wait())
	require.Less(t, credited(), n)

	interrupted, out, errs := ana.command(bulk...)
	require.NoError(t, interrupted.Start())
	await(t, "the run to go on", func() bool { return credited() >= n/2 })
	require.NoError(t, interrupted.Process.Signal(os.Interrupt))
	require.Equal(t, 130, exitOf(interrupted.Wait()), errs.String())
	require.Regexp(t, `\d+ done, 0 failed, \d+ not begun`, errs.String())
	require.Contains(t, errs.String(), "the same command goes on with what is left")
	require.Contains(t, out.String(), `"outcome": "done"`)

	began = time.Now()
	_, told := ana.run(0, bulk...)
	t.Logf("the rest took %s\n%s", time.Since(began).Round(time.Millisecond), told)
	p.waitCredited(all)
	p.requireCreditedOnce(all)
	require.Empty(t, p.openCases())
	wallettest.RequireClosed(t, p.admin, p.keys)
	p.requireChainCheck()
	ana.run(0, bulk...) // nothing is stuck
}
