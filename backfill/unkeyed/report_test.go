package unkeyed_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/backfill/unkeyed"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// bench is a database with a ledger on it.
type bench struct {
	t      *testing.T
	db     *wallettest.Database
	ledger *ledger.Ledger
}

func newBench(t *testing.T) *bench {
	t.Helper()
	db := wallettest.NewDatabase(t)
	l, err := ledger.New(ledger.Options{Pool: db.Pool(t, wallettest.Gaming), Keys: wallettest.Keys(t)})
	require.NoError(t, err)
	return &bench{t: t, db: db, ledger: l}
}

// win posts one to a player of a brand, as a provider.
func (b *bench) win(brand, provider, id string) {
	b.t.Helper()
	results, err := b.ledger.Post(b.t.Context(), []ledger.Request{{{
		Wallet: walletcore.WalletKey{Brand: brand, User: "u|1", Currency: "EUR"}, Kind: walletcore.KindWin, ExternalID: id,
		Amount: walletcore.MustParseMoney("1"), Actor: provider, OccurredAt: time.Now(),
	}}})
	require.NoError(b.t, err)
	require.NoError(b.t, results[0].Err())
}

func unkeyedID(namespace string, n int) string { return fmt.Sprintf("%s:unkeyed:%064x", namespace, n) }

func (b *bench) read(role wallettest.Role) unkeyed.Report {
	b.t.Helper()
	report, err := unkeyed.Read(b.t.Context(), b.db.Pool(b.t, role))
	require.NoError(b.t, err)
	return report
}

func TestRead_IsEmptyWhereEveryMovementHasItsID(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.win("acme", "games", "games:t-1")
	b.win("acme", "games", "games:unkeyed:1")
	b.win("acme", "games", unkeyedID("games:a", 1))
	b.win("acme", "games", strings.ToUpper(unkeyedID("games", 10)))
	report := b.read(wallettest.Auditor)
	require.Empty(t, report.Producers)
	require.Zero(t, report.Open())
}

// A message that comes again is one movement; producers and brands are apart.
func TestRead_CountsEachMovementOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	before := time.Now().Add(-time.Minute)
	for _, n := range []int{1, 2, 2, 1, 3} {
		b.win("acme", "games", unkeyedID("ag", n))
	}
	b.win("acme", "more", unkeyedID("more", 1))
	b.win("bravo", "games", unkeyedID("ag", 1))
	for _, role := range []wallettest.Role{wallettest.Auditor, wallettest.Gaming, wallettest.Backfill, wallettest.Worker} {
		report := b.read(role)
		require.Equal(t, 3, report.Open())
		require.Len(t, report.Producers, 3)
		for i, want := range []struct {
			brand, provider string
			count           int64
		}{{"acme", "games", 3}, {"acme", "more", 1}, {"bravo", "games", 1}} {
			got := report.Producers[i]
			require.Equal(t, []string{want.brand, want.provider}, []string{got.Brand, got.Provider})
			require.Equal(t, []int64{want.count, want.count, want.count}, []int64{got.Total, got.Week, got.Day})
			require.True(t, got.LastAt.After(before))
			require.Zero(t, got.Until)
		}
	}
}

// The report is for a table of billions: it must find its few by their index.
func TestRead_NeverScansTheLedger(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for n := range 200 {
		b.win("acme", "games", fmt.Sprintf("games:t-%d", n))
	}
	b.win("acme", "games", unkeyedID("games", 1))
	owner := b.db.Pool(t, wallettest.Owner)
	_, err := owner.Exec(t.Context(), `vacuum analyze gaming.entries`)
	require.NoError(t, err)
	rows, err := owner.Query(t.Context(), `explain `+unkeyed.ReadTraffic)
	require.NoError(t, err)
	plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Contains(t, strings.Join(plan, "\n"), "entries_unkeyed")
	require.NotContains(t, strings.Join(plan, "\n"), "Seq Scan on entries")
}
