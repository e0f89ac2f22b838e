package ledger_test

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

func TestBrand_NobodyTakesAStepBackOrUnrecorded(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.move("newcomer", walletcore.BrandImporting)
	for name, statement := range map[string]string{
		"live by hand":          `update gaming.brands set state = 'live' where brand_id = 'newcomer'`,
		"closed by hand":        `update gaming.brands set state = 'closed' where brand_id = 'newcomer'`,
		"back from live":        `update gaming.brands set state = 'importing' where brand_id = 'acme'`,
		"born live":             `insert into gaming.brands (brand_id, state) values ('new', 'live')`,
		"another name":          `update gaming.brands set brand_id = 'new' where brand_id = 'acme'`,
		"another's name":        `update gaming.brands set brand_id = 'ghost', state = 'live' where brand_id = 'newcomer'`,
		"born live by upsert":   `insert into gaming.brands (brand_id, state) values ('newcomer', 'live') on conflict (brand_id) do update set state = excluded.state`,
		"deleting a brand":      `delete from gaming.brands where brand_id = 'newcomer'`,
		"truncating brands":     `truncate gaming.brands`,
		"changing a step":       `update gaming.brand_changes set note = 'fine'`,
		"deleting a step":       `delete from gaming.brand_changes`,
		"truncating the steps":  `truncate gaming.brand_changes`,
		"a step back, recorded": `insert into gaming.brand_changes (brand_id, was, state, at, actor) values ('acme', 'closed', 'importing', now(), 'x')`,
		"a step to where it is": `insert into gaming.brand_changes (brand_id, was, state, at, actor) values ('acme', 'importing', 'live', now(), 'x')`,
		"closing a closed one":  `insert into gaming.brand_changes (brand_id, was, state, at, actor) values ('new', 'closed', 'closed', now(), 'x')`,
	} {
		for _, role := range []wallettest.Role{wallettest.Gaming, wallettest.Backfill, wallettest.Owner} {
			_, err := b.db.Pool(t, role).Exec(t.Context(), statement)
			var refused *pgconn.PgError
			require.ErrorAs(t, err, &refused, "%s: %s went through", role, name)
			require.Contains(t, []string{"42501", "WL002", "WB001"}, refused.Code, "%s: %s: %v", role, name, err)
		}
	}
	require.Equal(t, 1, b.count(`select count(*) from gaming.brands where brand_id = 'newcomer' and state = 'importing'`))
}

func TestBrand_OnlyBackfillAndTheOwnerTakeAStep(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, role := range []wallettest.Role{wallettest.Gaming, wallettest.Worker, wallettest.Auditor} {
		for _, statement := range []string{
			`select gaming.move_brand('newcomer', 'live', '', null, '', '')`, `select gaming.hold_brand('newcomer', true)`,
		} {
			_, err := b.db.Pool(t, role).Exec(t.Context(), statement)
			var refused *pgconn.PgError
			require.ErrorAs(t, err, &refused, "%s", role)
			require.Equal(t, "42501", refused.Code, "%s: %v", role, err)
		}
	}
	person := wallettest.NewPerson(t, "jane", "backfill")
	_, err := b.db.PoolOf(t, person).Exec(t.Context(), `select gaming.move_brand('newcomer', 'live', 'new', null, 'desk', 'cli')`)
	require.NoError(t, err)
	require.Equal(t, 1, b.count(`
select count(*)
from gaming.brand_changes
where brand_id = 'newcomer' and was = 'closed' and state = 'live' and actor = $1 and note = 'new' and host = 'desk'`,
		person.Name), "the login is on record")
}

// wallet is a birth by hand whose balance and entry fit each other.
func birth(brand, kind string, real int) string {
	return fmt.Sprintf(`
with born as (
  insert into gaming.wallets (id, brand_id, user_id, currency, seq, real, bonus, head)
  values (gen_random_uuid(), '%s', 'u-1', 'EUR', 0, %d, 0, sha256('x'))
  returning *)
insert into gaming.entries (wallet_id, seq, kind, external_id, real_before, real_after,
  bonus_before, bonus_after, actor, occurred_at, recorded_at, hash, key_id)
select id, 0, '%s', '%s', real, real, 0, 0, 'me', now(), now(), head, 1
from born`, brand, real, kind, kind)
}

func TestBrand_NoWalletComesInWhileItsBrandIsNotReadyForIt(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.move("importing", walletcore.BrandImporting)
	for _, c := range []struct {
		role      wallettest.Role
		statement string
	}{
		{wallettest.Gaming, birth("closed", "opening", 0)},
		{wallettest.Gaming, birth("importing", "opening", 0)},
		{wallettest.Gaming, birth("importing", "brought_forward", 5)},
		{wallettest.Gaming, birth("acme", "brought_forward", 5)},
		{wallettest.Backfill, birth("closed", "brought_forward", 5)},
		{wallettest.Backfill, birth("acme", "brought_forward", 5)},
		{wallettest.Backfill, birth("importing", "opening", 0)},
		{wallettest.Owner, birth("closed", "opening", 0)},
	} {
		_, err := b.db.Pool(t, c.role).Exec(t.Context(), c.statement)
		var refused *pgconn.PgError
		require.ErrorAs(t, err, &refused, "%s:%s", c.role, c.statement)
		require.Contains(t, []string{"42501", "WL001", "WB002"}, refused.Code, "%s:%s: %v", c.role, c.statement, err)
	}
	require.Zero(t, b.count(`select count(*) from gaming.wallets`))
	for _, c := range []struct {
		role      wallettest.Role
		statement string
	}{
		{wallettest.Gaming, birth("acme", "opening", 0)},
		{wallettest.Backfill, birth("importing", "brought_forward", 5)},
	} {
		_, err := b.db.Pool(t, c.role).Exec(t.Context(), c.statement)
		require.NoError(t, err, "%s:%s", c.role, c.statement)
	}
}

func TestBrand_NoWalletMovesBeforeItsBrandIsLive(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.move("importing", walletcore.BrandImporting)
	_, err := b.db.Pool(t, wallettest.Backfill).Exec(t.Context(), birth("importing", "brought_forward", 5))
	require.NoError(t, err)
	deposit := deposited(`'d-1'`, `'me'`, `head`, `1`)
	for _, role := range []wallettest.Role{wallettest.Gaming, wallettest.Owner} {
		_, err := b.db.Pool(t, role).Exec(t.Context(), deposit)
		var refused *pgconn.PgError
		require.ErrorAs(t, err, &refused)
		require.Equal(t, "WB002", refused.Code, "%v", err)
	}
	_, err = b.db.Pool(t, wallettest.Admin).Exec(t.Context(), `select gaming.freeze_brand('importing', true, 'not a movement')`)
	require.NoError(t, err)
	b.move("importing", walletcore.BrandLive)
	_, err = b.db.Pool(t, wallettest.Gaming).Exec(t.Context(), deposit)
	require.NoError(t, err)
}
