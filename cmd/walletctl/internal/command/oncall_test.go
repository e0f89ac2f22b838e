package command_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/walletctl/internal/command"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/deposit"
	"github.com/walletctl/walletctl/walletcore/job"
	"github.com/walletctl/walletctl/walletcore/ledger"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// cmdCasino has casino's jobs worked, by the real ledger, until the script ends.
func cmdCasino(ts *testscript.TestScript, _ bool, _ []string) {
	t := testOf(ts)
	keys, err := walletcore.LoadKeyring(ts.Getenv("LEDGER_KEYS_FILE"))
	ts.Check(err)
	l, err := ledger.New(ledger.Options{Pool: databaseOf(ts).Pool(t, wallettest.Gaming), Keys: keys})
	ts.Check(err)
	pool := databaseOf(ts).Pool(t, wallettest.Casino)
	queue, err := job.New(job.Options{Pool: pool, RetryBase: time.Millisecond, PollInterval: 20 * time.Millisecond})
	ts.Check(err)
	_, err = deposit.NewService(deposit.Options{Queue: queue, Pool: pool, Wallet: l, EffectNames: []string{}})
	ts.Check(err)
	ts.Check(queue.Start(context.Background()))
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		_ = queue.Stop(ctx)
	})
}

func TestCases_EveryKindHasAdvice(t *testing.T) {
	t.Parallel()
	rows, err := wallettest.NewDatabase(t).Pool(t, wallettest.Admin).Query(t.Context(), `
select unnest(enum_range(null::casino.case_kind))::text
union
select (regexp_matches(pg_get_constraintdef(oid), $q$'(\w+)'$q$, 'g'))[1]
from pg_constraint
where conrelid = 'gaming.cases'::regclass and conname = 'cases_kind_check'`)
	require.NoError(t, err)
	kinds, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.ElementsMatch(t, kinds, command.CaseKinds())
}

func TestReplay_AConfirmationIsTheMostThatIsSent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		confirmation, needed string
		want                 bool
	}{
		{"12.50 EUR", "12.50 EUR", true},
		{"12.5 EUR", "12.50 EUR", true},
		{"1000 JPY, 12.50 EUR", "12.50 EUR, 1000.00 JPY", true},
		{"12.51 EUR", "12.50 EUR", true},
		{"3 effects", "2 effects", true},
		{"12.50 EUR", "2 effects", false},
		{"12.49 EUR", "12.50 EUR", false},
		{"12.50 USD", "12.50 EUR", false},
		{"12.50 EUR", "12.50 EUR, 1.00 JPY", false},
		{"12.50", "12.50 EUR", false},
		{"12,50 EUR", "12.50 EUR", false},
		{"1e9 EUR", "12.50 EUR", false},
		{"NaN EUR", "12.50 EUR", false},
		{"yes", "12.50 EUR", false},
		{"", "12.50 EUR", false},
	} {
		require.Equal(t, c.want, command.Covers(c.confirmation, c.needed), "%q for %q", c.confirmation, c.needed)
	}
}

func TestWord_WhatIsShownCanBeTyped(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"games:tx-1": "games:tx-1", "": "''", "a b": "'a b'", "-5": "'-5'", "$(rm)": "'$(rm)'", "日本": "'日本'",
		"a'b": `'a'\''b'`,
	} {
		require.Equal(t, want, command.Word(text))
	}
}
