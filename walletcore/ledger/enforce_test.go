package ledger_test

import (
	"errors"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// forbidden is what nobody may do by hand, whatever the SQL. Each is tried as
// the service and as the owner of the tables.
var forbidden = map[string]string{
	"a balance without its entry": `update gaming.wallets set real = real + 1`,
	"a balance and seq without an entry": `
update gaming.wallets set real = real + 1, seq = seq + 1`,
	"a wallet set back to an older entry": `
update gaming.wallets w
set seq = e.seq, real = e.real_after, bonus = e.bonus_after, head = e.hash
from gaming.entries e
where e.wallet_id = w.id and e.seq = 1`,
	"another head": `update gaming.wallets set head = decode(repeat('00', 32), 'hex')`,
	"an entry without its balance": `
insert into gaming.entries (wallet_id, seq, kind, external_id, real_before, real_after,
  bonus_before, bonus_after, actor, occurred_at, recorded_at, hash, key_id)
select wallet_id, seq + 1, kind, 'forged', real_after, real_after + 1,
  bonus_after, bonus_after, actor, now(), now(), hash, key_id
from gaming.entries where seq = 2`,
	"an entry that does not continue the chain": `
with moved as (
  update gaming.wallets set real = real + 5, seq = seq + 1 returning *)
, entry as (
  insert into gaming.entries (wallet_id, seq, kind, external_id, real_before, real_after,
    bonus_before, bonus_after, actor, occurred_at, recorded_at, hash, key_id)
  select id, seq, 'deposit', 'forged', real - 4, real, bonus, bonus, 'me', now(), now(), head, 1
  from moved returning *)
insert into gaming.receipts select wallet_id, seq, kind, external_id from entry`,
	"a deposit without its receipt": `
with moved as (
  update gaming.wallets set real = real + 5, seq = seq + 1 returning *)
insert into gaming.entries (wallet_id, seq, kind, external_id, real_before, real_after,
  bonus_before, bonus_after, actor, occurred_at, recorded_at, hash, key_id)
select id, seq, 'deposit', 'forged', real - 5, real, bonus, bonus, 'me', now(), now(), head, 1
from moved`,
	"a receipt without its entry": `
insert into gaming.receipts select id, seq, 'deposit', 'forged' from gaming.wallets`,
	"a deposit that takes money": `
with moved as (
  update gaming.wallets set real = real - 1, seq = seq + 1 returning *)
, entry as (
  insert into gaming.entries (wallet_id, seq, kind, external_id, real_before, real_after,
    bonus_before, bonus_after, actor, occurred_at, recorded_at, hash, key_id)
  select id, seq, 'deposit', 'forged', real + 1, real, bonus, bonus, 'me', now(), now(), head, 1
  from moved returning *)
insert into gaming.receipts select wallet_id, seq, kind, external_id from entry`,
	"the same key twice": `
with moved as (
  update gaming.wallets set real = real + 1, seq = seq + 1 returning *)
insert into gaming.entries (wallet_id, seq, kind, external_id, real_before, real_after,
  bonus_before, bonus_after, actor, occurred_at, recorded_at, hash, key_id)
select id, seq, 'deposit', 'd-1', real - 1, real, bonus, bonus, 'me', now(), now(), head, 1
from moved`,
	"a second opening": `
insert into gaming.entries select wallet_id, 3, occurred_at, recorded_at, kind, key_id, real_before,
  real_after, bonus_before, bonus_after, 'opening', hash, actor from gaming.entries where seq = 0`,
	"a wallet without an opening": `
insert into gaming.wallets (id, brand_id, user_id, currency, seq, real, bonus, head)
select gen_random_uuid(), brand_id, 'u-2', currency, 0, 0, 0, head from gaming.wallets`,
	"NaN":                      `update gaming.wallets set real = 'NaN'`,
	"below zero":               `update gaming.wallets set real = -1`,
	"another owner":            `update gaming.wallets set user_id = 'u-2'`,
	"deleting a wallet":        `delete from gaming.wallets`,
	"truncating wallets":       `truncate gaming.wallets`,
	"changing an entry":        `update gaming.entries set actor = 'me'`,
	"deleting an entry":        `delete from gaming.entries where seq = 2`,
	"deleting no entry at all": `delete from gaming.entries where false`,
	"truncating entries":       `truncate gaming.entries cascade`,
	"changing a receipt":       `update gaming.receipts set seq = 1`,
	"deleting a receipt":       `delete from gaming.receipts`,
	"truncating receipts":      `truncate gaming.receipts`,
}

func TestLedger_NobodyCanOpenTheChain(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, id := range []string{"d-1", "d-2"} {
		_, err := b.credit(id, "10.00")
		require.NoError(t, err)
	}
	for _, role := range []wallettest.Role{wallettest.Gaming, wallettest.Owner} {
		pool := b.db.Pool(t, role)
		for name, statement := range forbidden {
			requireRefused(t, pool, string(role)+": "+name, statement)
		}
	}
	b.requireClosed()
	require.Equal(t, 20, b.count(`select real::int from gaming.wallets`))
}

// requireRefused asserts that the database itself said no: by privilege, by
// constraint or by trigger, not for a mistake in the statement.
func requireRefused(t *testing.T, pool *pgxpool.Pool, name, statement string) {
	t.Helper()
	_, err := pool.Exec(t.Context(), statement)
	var refused *pgconn.PgError
	require.True(t, errors.As(err, &refused), "%s went through: %v", name, err)
	require.Contains(t, []string{"42501", "23505", "23514", "WL001", "WL002"}, refused.Code,
		"%s failed for another reason: %v", name, err)
}

func TestLedger_ReplicationRoleDoesNotSwitchTheTriggersOff(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	_, err := b.credit("d-1", "10.00")
	require.NoError(t, err)
	admin, err := b.db.Pool(t, wallettest.Admin).Acquire(t.Context())
	require.NoError(t, err)
	defer admin.Release()
	_, err = admin.Exec(t.Context(), `set session_replication_role = replica`)
	require.NoError(t, err)
	for _, statement := range []string{
		`update gaming.wallets set real = 99`, `delete from gaming.entries`, `truncate gaming.receipts`,
	} {
		_, err = admin.Exec(t.Context(), statement)
		require.Error(t, err, statement)
	}
	b.requireClosed()
}
