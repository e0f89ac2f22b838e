package withdrawal_test

import (
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/migrations"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/wallettest"
	"github.com/walletctl/walletctl/walletcore/withdrawal"
)

// world is a database with a withdrawal in each status, and no job at work.
func world(t *testing.T) (*bench, map[withdrawal.Status]string) {
	t.Helper()
	b := newBench(t)
	require.NoError(t, b.queue.Start(t.Context()))
	ids := map[withdrawal.Status]string{}
	for _, status := range []withdrawal.Status{withdrawal.Debited, withdrawal.Paid, withdrawal.Reversed} {
		w := b.create("5")
		b.waitDebited(w.ID)
		switch status {
		case withdrawal.Paid:
			b.tell(outcome(&w, walletcore.PaymentPaid))
		case withdrawal.Reversed:
			b.tell(outcome(&w, walletcore.PaymentRejected))
			b.waitFor(w.ID, withdrawal.Reversed)
		}
		ids[status] = w.ID
	}
	b.stop()
	ids[withdrawal.Requested] = b.create("5").ID
	w := b.create("5")
	b.tell(outcome(&w, walletcore.PaymentRejected))
	ids[withdrawal.Rejected] = w.ID
	return b, ids
}

func (b *bench) refused(pool *pgxpool.Pool, query string, args ...any) {
	b.t.Helper()
	_, err := pool.Exec(b.t.Context(), query, args...)
	require.Error(b.t, err, query)
}

// asAnyone runs what must be refused as casino, as the owner and as the
// superuser.
func (b *bench) asAnyone(query string, args ...any) {
	b.t.Helper()
	for _, pool := range []*pgxpool.Pool{b.pool, b.db.Pool(b.t, wallettest.Owner), b.admin} {
		b.refused(pool, query, args...)
	}
}

func TestSchema_IsFitToServeAsCasino(t *testing.T) {
	t.Parallel()
	pool := wallettest.NewDatabase(t).Pool(t, wallettest.Casino)
	require.NoError(t, migrations.Check(t.Context(), pool, migrations.Casino))
}

func TestRules_NoClientMovesAStatusByItself(t *testing.T) {
	t.Parallel()
	b, ids := world(t)
	for from, id := range ids {
		for _, to := range withdrawal.Statuses() {
			if from == to {
				continue
			}
			// The legal moves fail here as well: what belongs to them is missing.
			b.asAnyone(`update casino.withdrawals set status = $2 where id = $1`, id, string(to))
			require.Equal(t, from, b.get(id).Status, "%s to %s", from, to)
		}
	}
}

func TestRules_WhatWasGivenBackIsNeverPaid(t *testing.T) {
	t.Parallel()
	b, ids := world(t)
	for _, status := range []withdrawal.Status{withdrawal.Requested, withdrawal.Rejected, withdrawal.Reversed} {
		id := ids[status]
		_, err := b.pool.Exec(t.Context(), `insert into casino.payouts
			(gateway, account, payout_id, withdrawal_id, amount, currency, message_id)
			values ('generic', 'north-main', $1, $2, 5, 'EUR', 'm')`, "po-"+id, id)
		require.NoError(t, err)
		b.asAnyone(`update casino.withdrawals set status = 'paid', paid_at = now() where id = $1`, id)
	}
}

func TestRules_WhatWasGivenBackIsNeverAskedToBePaid(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.payer.before = func(int) error { return errNever }
	b.start()
	w := b.create("5")
	b.waitCase(w.ID, "payout_exhausted")
	b.tell(outcome(&w, walletcore.PaymentRejected))
	b.waitFor(w.ID, withdrawal.Reversed)
	b.asAnyone(`update casino.withdrawals set payout_requested_at = now() where id = $1`, w.ID)
}

func TestRules_PaidNeedsAPayoutOfItsAmount(t *testing.T) {
	t.Parallel()
	b, ids := world(t)
	id := ids[withdrawal.Debited]
	b.asAnyone(`update casino.withdrawals set status = 'paid', paid_at = now() where id = $1`, id)
	_, err := b.pool.Exec(t.Context(), `insert into casino.payouts
		(gateway, account, payout_id, withdrawal_id, amount, currency, message_id)
		values ('generic', 'north-main', 'less', $1, 4.99, 'EUR', 'm')`, id)
	require.NoError(t, err)
	b.asAnyone(`update casino.withdrawals set status = 'paid', paid_at = now() where id = $1`, id)
}

func TestRules_DebitedNeedsAReceiptOfItsAmount(t *testing.T) {
	t.Parallel()
	b, ids := world(t)
	const debited = `update casino.withdrawals set status = 'debited', debited_at = now(), payout_job_id = 1,
		receipt_wallet_id = gen_random_uuid(), receipt_seq = 9, receipt_real_before = 100, receipt_real_after = `
	for _, rest := range []string{
		`96, receipt_bonus_before = 0, receipt_bonus_after = 0, receipt_recorded_at = now()`,
		`105, receipt_bonus_before = 0, receipt_bonus_after = 0, receipt_recorded_at = now()`,
		`95, receipt_bonus_before = 5, receipt_bonus_after = 0, receipt_recorded_at = now()`,
		`95, receipt_bonus_before = 0, receipt_bonus_after = 0`,
	} {
		b.asAnyone(debited+rest+` where id = $1`, ids[withdrawal.Requested])
	}
}

func TestRules_EvidenceIsNeitherChangedNorDeleted(t *testing.T) {
	t.Parallel()
	b, _ := world(t)
	for _, table := range []string{"withdrawals", "payouts", "withdrawal_events"} {
		require.NotZero(t, b.count("casino."+table))
		b.asAnyone("delete from casino." + table)
		b.asAnyone("truncate casino." + table + " cascade")
	}
	for _, change := range []string{
		`withdrawals set amount = 1`,
		`withdrawals set user_id = 'u-2'`,
		`withdrawals set brand_id = 'south'`,
		`withdrawals set destination = 'elsewhere'`,
		`withdrawals set idempotency_key = 'other'`,
		`withdrawals set receipt_seq = 99 where status = 'debited'`,
		`withdrawals set debited_at = now() where status = 'debited'`,
		`withdrawals set reversal_seq = 99 where status = 'reversed'`,
		`withdrawals set reason = 'other' where status = 'rejected'`,
		`withdrawals set payout_requested_at = now() where status = 'debited'`,
		`withdrawals set paid_at = now() where status = 'paid'`,
		`payouts set amount = 1`,
		`payouts set payout_id = 'x'`,
		`withdrawal_events set detail = 'x'`,
		`gateway_messages set withdrawal_id = 'x'`,
	} {
		b.asAnyone("update casino." + change)
	}
}
