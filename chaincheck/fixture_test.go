package chaincheck_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/chaincheck"
	"github.com/walletctl/walletctl/chaincheck/chaintest"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// fixture is a ledger on the primary and a pool on the replica.
type fixture struct {
	db    *wallettest.Database
	spec  chaintest.Spec
	keys  *walletcore.Keyring
	owner string
	pool  *pgxpool.Pool
}

func newFixture(t testing.TB, spec chaintest.Spec) *fixture {
	t.Helper()
	spec.Receipts = true
	f := &fixture{db: wallettest.NewDatabase(t), spec: spec, keys: chaintest.Keys(t)}
	f.owner = f.db.URL(t, wallettest.Owner)
	chaintest.Load(t, f.owner, f.keys, f.spec)
	wallettest.WaitForReplica(t)
	f.pool = f.db.Pool(t, wallettest.Replica)
	return f
}

func (f *fixture) deps() chaincheck.Deps { return chaincheck.Deps{Pool: f.pool, Keys: f.keys} }

// plant breaks the ledger behind the triggers' back and waits for the replica.
func (f *fixture) plant(t testing.TB, statement string, arguments ...any) {
	t.Helper()
	chaintest.Plant(t, f.owner, statement, arguments...)
	wallettest.WaitForReplica(t)
}

func (f *fixture) run(t testing.TB, options chaincheck.Options) chaincheck.Report {
	t.Helper()
	report, err := chaincheck.Run(context.Background(), f.deps(), options)
	require.NoError(t, err)
	return report
}

// requireClosed fails unless everything was read and nothing found.
func requireClosed(t testing.TB, report chaincheck.Report) {
	t.Helper()
	require.Empty(t, report.Findings)
	require.Empty(t, report.Warnings)
	require.Empty(t, report.Unread)
	require.Equal(t, chaincheck.StatusClosed, report.Status)
	require.Equal(t, 0, report.ExitCode())
}

// kindsAt returns the kinds found, in order.
func kindsAt(report chaincheck.Report) []chaincheck.Kind {
	var kinds []chaincheck.Kind
	for _, f := range report.Findings {
		kinds = append(kinds, f.Kind)
	}
	return kinds
}
