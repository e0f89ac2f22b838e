package chaintest

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// enforcers are the triggers that close the chain, by table.
var enforcers = map[string][]string{
	"entries":  {"entries_closed", "entries_append_only", "entries_not_truncated"},
	"receipts": {"receipts_closed", "receipts_append_only", "receipts_not_truncated"},
	"wallets": {
		"wallets_closed_insert", "wallets_closed_update", "wallets_forward", "wallets_identity", "wallets_named",
		"wallets_kept", "wallets_not_truncated",
	},
}

// WithoutTriggers runs work in a transaction in which no trigger fires, as the
// owner of the schema. After it they are all enabled again.
func WithoutTriggers(t testing.TB, ownerURL string, work func(pgx.Tx)) {
	t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, ownerURL)
	require.NoError(t, err)
	defer conn.Close(ctx)
	tx, err := conn.Begin(ctx)
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(ctx) }()
	for table := range enforcers {
		_, err := tx.Exec(ctx, `alter table gaming.`+table+` disable trigger user`)
		require.NoError(t, err)
	}
	work(tx)
	for table, triggers := range enforcers {
		for _, name := range triggers {
			_, err := tx.Exec(ctx, `alter table gaming.`+table+` enable always trigger `+name)
			require.NoError(t, err)
		}
	}
	require.NoError(t, tx.Commit(ctx))
}

// Plant breaks the ledger with one statement, which must change at least one
// row.
func Plant(t testing.TB, ownerURL, statement string, arguments ...any) {
	t.Helper()
	WithoutTriggers(t, ownerURL, func(tx pgx.Tx) {
		tag, err := tx.Exec(context.Background(), statement, arguments...)
		require.NoError(t, err)
		require.Positive(t, tag.RowsAffected(), "nothing was planted")
	})
}

// Exec runs a statement as the owner of the schema.
func Exec(t testing.TB, ownerURL, statement string) {
	t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, ownerURL)
	require.NoError(t, err)
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statement)
	require.NoError(t, err)
}
