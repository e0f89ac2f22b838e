package chaincheck_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/chaincheck"
	"github.com/walletctl/walletctl/chaincheck/chaintest"
)

// A row that is updated moves to another place in the table, as it stands.
func TestRun_RowsOutOfOrderInTheTableAreNoBreak(t *testing.T) {
	t.Parallel()
	f := newFixture(t, chaintest.Spec{Wallets: 6, Deposits: 600})
	const move = `update gaming.entries set actor = actor where wallet_id = $1 and seq = $2`
	f.plant(t, move, f.spec.Wallet(0).ID(), 590) // some wait for it
	f.plant(t, move, f.spec.Wallet(1).ID(), 3)   // too many do
	f.plant(t, move, f.spec.Wallet(2).ID(), 600) // nothing does
	f.plant(t, move, f.spec.Wallet(3).ID(), 0)
	requireClosed(t, f.run(t, chaincheck.Options{All: true, Order: chaincheck.OrderTable}))

	f.plant(t, `update gaming.entries set actor = 'nobody' where wallet_id = $1 and seq = $2`, f.spec.Wallet(4).ID(), 10)
	report := f.run(t, chaincheck.Options{All: true, Order: chaincheck.OrderTable})
	require.Equal(t, []chaincheck.Kind{chaincheck.KindHash}, kindsAt(report), "moved and changed")
	require.Equal(t, f.spec.Wallet(4).ID(), report.Findings[0].WalletID)
}
