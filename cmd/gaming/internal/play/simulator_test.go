package play_test

import (
	"context"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/provider"
	"github.com/walletctl/walletctl/walletcore/provider/simulator"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// policies are two opposite answers to every question that a simulator plays.
var policies = map[string]provider.Policy{
	"strict": {
		DuplicateBalance: provider.First, LateBet: provider.Refused, UnknownRollback: provider.Refused,
		RefundAfterWin: provider.Refused, WinWithoutBet: provider.ToReal, WinRollback: provider.Refused,
	},
	"lenient": {
		DuplicateBalance: provider.Current, LateBet: provider.Accepted, UnknownRollback: provider.Accepted,
		RefundAfterWin: provider.Accepted, WinWithoutBet: provider.ToBonus, WinRollback: provider.Debt,
	},
	"default": {},
}

// What providers send, with everything that goes wrong on its way, gets what
// each contract says, under each policy, and moves each key once.
func TestSimulator_FindsNothing(t *testing.T) {
	t.Parallel()
	for _, dialect := range provider.DialectNames() {
		for name, policy := range policies {
			t.Run(dialect+" "+name, func(t *testing.T) {
				t.Parallel()
				b := newBench(t, func(o *provider.ProfileOptions) { o.Policy = policy })
				report := b.simulate(dialect, func(o *simulator.Options) { o.Policy = policy })
				require.Empty(t, report.Findings)
				require.NotZero(t, report.Cuts)
				require.Equal(t, 3*(60+1), report.Rounds+report.Skipped)
				require.Zero(t, report.Skipped)
				b.requireMovedOnce()
			})
		}
	}
}

// simulate plays one provider over HTTP.
func (b *bench) simulate(dialect string, change ...func(*simulator.Options)) simulator.Report {
	b.t.Helper()
	server := httptest.NewServer(b.mux)
	defer server.Close()
	o := simulator.Options{
		URL: server.URL, Brand: "acme", Provider: dialect, Dialect: dialect, Secret: secretOf(dialect),
		Currency: "EUR", Players: 3, Rounds: 60, Seed: 7, Run: "test", Cut: 20,
	}
	for _, c := range change {
		c(&o)
	}
	ctx, cancel := context.WithTimeout(b.t.Context(), 2*time.Minute)
	defer cancel()
	report, err := simulator.Run(ctx, o)
	require.NoError(b.t, err)
	return report
}

// requireMovedOnce: every chain is whole, and no refund gave back more than its
// bet took.
func (b *bench) requireMovedOnce() {
	b.t.Helper()
	wallettest.RequireClosed(b.t, b.db.Pool(b.t, wallettest.Owner), wallettest.Keys(b.t))
	require.Zero(b.t, b.count(`
select count(*)
from (
  select wallet_id, kind, external_id
  from gaming.entries
  group by wallet_id, kind, external_id
  having count(*) > 1) twice`))
	require.Zero(b.t, b.count(`
select count(*)
from gaming.entries undone
join gaming.entries undoing on undoing.wallet_id = undone.wallet_id and undoing.external_id = undone.external_id
where (undone.kind, undoing.kind) in (('bet', 'refund'), ('win', 'win_reversal'))
  and undone.real_after - undone.real_before + undone.bonus_after - undone.bonus_before
    + undoing.real_after - undoing.real_before + undoing.bonus_after - undoing.bonus_before <> 0`))
	require.NotZero(b.t, b.count(`select count(*) from gaming.entries where kind = 'refund' and mark is null`))
}

