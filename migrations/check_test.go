package migrations_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/migrations"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

func TestCheck_MissesWhatWasTakenAway(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		schema  migrations.Schema
		sql     string
		problem string
		behind  bool
	}{
		"an index that is not valid": {
			migrations.Gaming,
			`update pg_index set indisvalid = false where indexrelid = 'gaming.entries_idempotency_key'::regclass`,
			"index entries_idempotency_key of gaming.entries is not valid: reindex it", false,
		},
		"an index that is not unique": {
			migrations.Gaming,
			`update pg_index set indisunique = false where indexrelid = 'gaming.receipts_pkey'::regclass`,
			"index receipts_pkey of gaming.receipts is not unique", false,
		},
		"a key that is gone": {
			migrations.Casino,
			`alter table casino.payments drop constraint payments_deposit_id_key`,
			"casino.payments lacks payments_deposit_id_key UNIQUE (deposit_id)", false,
		},
		"a key over other columns": {
			migrations.Gaming,
			`alter table gaming.entries drop constraint entries_idempotency_key,
				add constraint entries_idempotency_key unique (wallet_id, seq, external_id)`,
			"entries_idempotency_key of gaming.entries is UNIQUE (wallet_id, seq, external_id), " +
				"must be UNIQUE (wallet_id, kind, external_id)", false,
		},
		"a trigger that is gone": {
			migrations.Gaming, `drop trigger wallets_forward on gaming.wallets`,
			"trigger wallets_forward is missing or not enabled always", false,
		},
		"a trigger that a replication role switches off": {
			migrations.Casino, `alter table casino.deposits enable trigger deposits_legal_move`,
			"trigger deposits_legal_move is missing or not enabled always", false,
		},
		"a migration": {
			migrations.Gaming, `delete from gaming.schema_version where version_id = 2`,
			"not applied: gaming/00002_closed_chain.sql", true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := wallettest.NewDatabase(t)
			admin := db.Pool(t, wallettest.Admin)
			require.NoError(t, migrations.Check(t.Context(), admin, c.schema))
			_, err := admin.Exec(t.Context(), c.sql)
			require.NoError(t, err)

			var unfit *migrations.SchemaError
			require.ErrorAs(t, migrations.Check(t.Context(), admin, c.schema), &unfit)
			require.Equal(t, &migrations.SchemaError{Schema: c.schema, Behind: c.behind, Problems: []string{c.problem}}, unfit)
			require.NotEmpty(t, unfit.Hint())
		})
	}
}

func TestCheck_EachServiceMayLookAtItsOwnSchema(t *testing.T) {
	t.Parallel()
	db := wallettest.NewDatabase(t)
	for role, schema := range map[wallettest.Role]migrations.Schema{
		wallettest.Gaming: migrations.Gaming,
		wallettest.Casino: migrations.Casino,
	} {
		require.NoError(t, migrations.Check(t.Context(), db.Pool(t, role), schema))
	}
}

func TestCheck_ANewerSchemaIsFit(t *testing.T) {
	t.Parallel()
	admin := wallettest.NewDatabase(t).Pool(t, wallettest.Admin)
	_, err := admin.Exec(t.Context(), `insert into gaming.schema_version (version_id, is_applied) values (9999, true)`)
	require.NoError(t, err)

	require.NoError(t, migrations.Check(t.Context(), admin, migrations.Gaming))
}

func TestUp_AURLThatCannotBeParsedIsNotQuoted(t *testing.T) {
	t.Parallel()
	_, err := migrations.Up(t.Context(), "postgres://u:hunter2%zz@localhost/wallet", migrations.Gaming)
	require.ErrorIs(t, err, migrations.ErrURL)
	require.NotContains(t, err.Error(), "hunter2")
}
