package deposit_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/deposit"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// world is a database with a deposit in each status, and an open case.
func world(t *testing.T) (*bench, map[deposit.Status]string) {
	t.Helper()
	b := newBench(t)
	ids := map[deposit.Status]string{deposit.Pending: b.create(t).ID}
	for status, said := range map[deposit.Status]walletcore.PaymentStatus{
		deposit.Failed: walletcore.PaymentFailed, deposit.Expired: walletcore.PaymentExpired,
	} {
		d := b.create(t)
		b.apply(t, message(&d, said))
		ids[status] = d.ID
	}
	d := b.confirmed(t)
	start(t, b.Service)
	b.waitFor(t, d.ID, deposit.Credited)
	b.waitCount(t, 2, "effects where published_at is not null")
	stop(t, b.Service)
	ids[deposit.Credited] = d.ID
	b.apply(t, message(&d, walletcore.PaymentChargeback))
	ids[deposit.Confirmed] = b.confirmed(t).ID
	return b, ids
}

func refused(t *testing.T, pool *pgxpool.Pool, query string, args ...any) {
	t.Helper()
	_, err := pool.Exec(context.Background(), query, args...)
	require.Error(t, err, query)
}

func TestRules_NoClientMakesAnIllegalMove(t *testing.T) {
	t.Parallel()
	b, ids := world(t)
	pools := map[string]*pgxpool.Pool{"casino": b.pool, "owner": b.db.Pool(t, wallettest.Owner), "superuser": b.admin}
	for name, pool := range pools {
		for from, id := range ids {
			for _, to := range deposit.Statuses() {
				if from == to || (from == deposit.Pending && to != deposit.Confirmed && to != deposit.Credited) {
					continue
				}
				// Also the legal moves to confirmed and credited fail here: payment
				// and receipt are missing.
				refused(t, pool, `update casino.deposits set status = $2 where id = $1`, id, string(to))
				require.Equal(t, from, b.get(t, id).Status, "%s: %s to %s", name, from, to)
			}
		}
	}
}

func TestRules_ConfirmedNeedsItsPayment(t *testing.T) {
	t.Parallel()
	b, ids := world(t)
	refused(t, b.pool, `update casino.deposits set status = 'confirmed', confirmed_at = now(), correlation_id = 'x', job_id = 1
		where id = $1`, ids[deposit.Pending])
	_, err := b.pool.Exec(context.Background(), `insert into casino.payments
		(gateway, account, payment_id, deposit_id, amount, currency, message_id) values
		('generic', 'north-main', 'less', $1, 49.99, 'EUR', 'm')`, ids[deposit.Pending])
	require.NoError(t, err)
	refused(t, b.pool, `update casino.deposits set status = 'confirmed', confirmed_at = now(), correlation_id = 'x', job_id = 1
		where id = $1`, ids[deposit.Pending])
}

func TestRules_EvidenceIsNeitherChangedNorDeleted(t *testing.T) {
	t.Parallel()
	b, _ := world(t)
	pools := []*pgxpool.Pool{b.pool, b.db.Pool(t, wallettest.Owner), b.admin}
	for _, pool := range pools {
		for _, table := range []string{"deposits", "gateway_messages", "payments", "cases", "effects", "deposit_events"} {
			before := b.count(t, table)
			require.NotZero(t, before, table)
			refused(t, pool, "delete from casino."+table)
			refused(t, pool, "truncate casino."+table+" cascade")
			require.Equal(t, before, b.count(t, table))
		}
		for _, change := range []string{
			`gateway_messages set body = 'x'`,
			`gateway_messages set result = 'skipped'`,
			`gateway_messages set received_at = now()`,
			`payments set amount = 1`,
			`payments set payment_id = 'x'`,
			`deposit_events set detail = 'x'`,
			`effects set published_at = null`,
			`cases set detail = '{}'`,
			`cases set kind = 'chargeback', subject_id = 'x'`,
			`deposits set amount = 1`,
			`deposits set user_id = 'u-2'`,
			`deposits set brand_id = 'south'`,
			`deposits set receipt_seq = 99 where status = 'credited'`,
			`deposits set credited_at = now() where status = 'credited'`,
			`deposits set confirmed_at = now() where status = 'confirmed'`,
			`deposits set charged_back_at = null where charged_back_at is not null`,
		} {
			refused(t, pool, "update casino."+change)
		}
	}
}

func TestRules_ReplicationRoleDoesNotSwitchThemOff(t *testing.T) {
	t.Parallel()
	b, ids := world(t)
	conn, err := b.admin.Acquire(context.Background())
	require.NoError(t, err)
	defer conn.Release()
	_, err = conn.Exec(context.Background(), `set session_replication_role = replica`)
	require.NoError(t, err)
	defer func() { _, _ = conn.Exec(context.Background(), `reset session_replication_role`) }()
	for _, query := range []string{
		`delete from casino.deposit_events`,
		`update casino.gateway_messages set body = 'x'`,
		`update casino.deposits set status = 'failed' where id = '` + ids[deposit.Confirmed] + `'`,
	} {
		_, err = conn.Exec(context.Background(), query)
		require.Error(t, err, query)
	}
}

func TestRules_BadValuesAreRefusedByTheDatabaseToo(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	const insert = `insert into casino.deposits
		(id, brand_id, user_id, currency, amount, gateway, account, idempotency_key, created_at, expires_at, status)
		values ($1, $2, $3, $4, $5::text::numeric, 'g', 'a', $6, now(), now(), $7::text::casino.deposit_status)`
	good := []any{"dep_1", "north", "u-1", "EUR", "1", "k", "pending"}
	for i, bad := range map[int][]string{
		0: {"", "dep 1", "dep_\n"},
		1: {"", " north", "no\trth"},
		2: {"", "u\x7f"},
		3: {"eur", "", "EURO EURO"},
		4: {"0", "-1", "NaN", "99999999999"},
		5: {"", "k "},
		6: {"confirmed", "credited", "expired"},
	} {
		for _, value := range bad {
			args := append([]any{}, good...)
			args[i] = value
			refused(t, b.pool, insert, args...)
		}
	}
	_, err := b.pool.Exec(context.Background(), insert, good...)
	require.NoError(t, err)
}

func TestRules_OthersReadAndDoNotWrite(t *testing.T) {
	t.Parallel()
	b, _ := world(t)
	ctx := context.Background()
	for _, role := range []wallettest.Role{wallettest.Worker, wallettest.Auditor} {
		pool := b.db.Pool(t, role)
		store := deposit.Store{Pool: pool}
		page, err := store.List(ctx, deposit.Filter{})
		require.NoError(t, err)
		require.Len(t, page, 5)
		refused(t, pool, `update casino.deposits set status = 'expired'`)
		refused(t, pool, `insert into casino.payments select * from casino.payments`)
	}
	gaming := b.db.Pool(t, wallettest.Gaming)
	refused(t, gaming, `select from casino.deposits`)
	refused(t, b.pool, `select from gaming.wallets`)
	refused(t, b.db.Pool(t, wallettest.Worker), `select body from casino.gateway_messages`)
}
