package chaincheck_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/chaincheck"
	"github.com/walletctl/walletctl/chaincheck/chaintest"
)

func TestRun_CleanLedgerIsClosed(t *testing.T) {
	t.Parallel()
	f := newFixture(t, chaintest.Spec{Wallets: 50, Deposits: 30})
	for name, options := range map[string]chaincheck.Options{
		"all":               {All: true},
		"all, by table":     {All: true, Order: chaincheck.OrderTable},
		"all, by key":       {All: true, Order: chaincheck.OrderKey},
		"window":            {},
		"all, small batch":  {All: true, BatchSize: 7, Workers: 3},
		"window, one batch": {BatchSize: 7, Workers: 1},
		"brand":             {All: true, Brand: "acme"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report := f.run(t, options)
			requireClosed(t, report)
			require.EqualValues(t, 50, report.WalletsChecked)
			require.EqualValues(t, 50*31, report.EntriesChecked)
			require.EqualValues(t, 50*31, report.HashesVerified)
		})
	}
}

func TestRun_OneWallet(t *testing.T) {
	t.Parallel()
	f := newFixture(t, chaintest.Spec{Wallets: 3, Deposits: 5})
	report := f.run(t, chaincheck.Options{Wallet: f.spec.Wallet(1).ID()})
	requireClosed(t, report)
	require.EqualValues(t, 1, report.WalletsChecked)
	require.EqualValues(t, 6, report.EntriesChecked)
}

func TestRun_NothingToCheckIsUnknown(t *testing.T) {
	t.Parallel()
	f := newFixture(t, chaintest.Spec{Wallets: 1, Deposits: 1})
	for name, options := range map[string]chaincheck.Options{
		"no such wallet": {Wallet: uuid.New()},
		"no such brand":  {Brand: "nobody's", All: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report, err := chaincheck.Run(context.Background(), f.deps(), options)
			require.ErrorIs(t, err, chaincheck.ErrNoWallets)
			require.Equal(t, 3, report.ExitCode())
		})
	}
}

func TestRun_WindowReadsFromThePredecessorOn(t *testing.T) {
	t.Parallel()
	start := time.Now().Add(-10 * time.Hour)
	f := newFixture(t, chaintest.Spec{Wallets: 4, Deposits: 1000, Start: start, Step: 9 * time.Second})
	report := f.run(t, chaincheck.Options{Window: time.Hour})
	requireClosed(t, report)
	require.Less(t, report.EntriesChecked, int64(600), "some 400 entries are in the window")
	require.Greater(t, report.EntriesChecked, int64(390))
	require.EqualValues(t, report.EntriesChecked-4, report.HashesVerified, "the first entry of each wallet is the predecessor")
}

func TestRun_WithoutKeysIsAWarning(t *testing.T) {
	t.Parallel()
	f := newFixture(t, chaintest.Spec{Wallets: 2, Deposits: 2})
	report, err := chaincheck.Run(context.Background(), chaincheck.Deps{Pool: f.pool}, chaincheck.Options{All: true})
	require.NoError(t, err)
	require.Equal(t, 1, report.ExitCode())
	require.Equal(t, chaincheck.WarnHashes, report.Warnings[0].Code)
	require.Zero(t, report.HashesVerified)
	require.EqualValues(t, 6, report.HashesUnverified)
}

func TestRun_BadOptionIsRefusedBeforeAnythingIsRead(t *testing.T) {
	t.Parallel()
	for name, options := range map[string]chaincheck.Options{
		"window":           {Window: -time.Hour},
		"workers":          {Workers: 1000},
		"brand and wallet": {Brand: "acme", Wallet: uuid.New()},
		"brand":            {Brand: "a\x00b"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report, err := chaincheck.Run(context.Background(), chaincheck.Deps{}, options)
			var bad *chaincheck.OptionError
			require.ErrorAs(t, err, &bad)
			require.Equal(t, 3, report.ExitCode())
		})
	}
}
