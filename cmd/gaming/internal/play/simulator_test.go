package play_test

import (
	"context"
	"net/http/httptest"
	"os"
	"slices"
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
	for name, policy := range policies {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, func(o *provider.ProfileOptions) { o.Policy = policy })
			for _, dialect := range simulator.DialectNames() {
				report := b.simulate(dialect, func(o *simulator.Options) { o.Policy = policy })
				require.Empty(t, report.Findings)
				require.Zero(t, report.Skipped)
				require.NotZero(t, report.Cuts)
				require.NotZero(t, report.WaitedMillis)
				b.requireAllPlayed(&report)
			}
			b.requireMovedOnce()
		})
	}
}

// A player who was there before, whose wins have to resolve a bet, and whose
// ids are unique over all players: nothing can be paid in, and the wallet is
// used when the second run begins.
func TestSimulator_PlaysAUsedWallet(t *testing.T) {
	t.Parallel()
	policy := provider.Policy{WinWithoutBet: provider.Refused, IDs: provider.Global}
	b := newBench(t, func(o *provider.ProfileOptions) { o.Policy = policy })
	b.fund("5000")
	for _, run := range []string{"first", "second"} {
		report := b.simulate("softswiss", func(o *simulator.Options) {
			o.Policy, o.Run, o.Players, o.Users = policy, run, 0, []string{player.User}
		})
		require.Empty(t, report.Findings)
		require.Zero(t, report.Skipped)
		require.Zero(t, report.Funded)
		b.requireMovedOnce()
	}
}

func TestSimulator_TellsWhatItSawWhenItIsStopped(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	server := httptest.NewServer(b.mux)
	defer server.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o := b.options(server.URL, "standard")
	o.Progress = func(p simulator.Progress) {
		if p.Rounds == 5 {
			cancel()
		}
	}
	report, err := simulator.Run(ctx, o)
	require.ErrorIs(t, err, context.Canceled)
	require.True(t, report.Interrupted)
	require.Empty(t, report.Findings)
	require.GreaterOrEqual(t, report.Rounds, 5)
	require.Less(t, report.Rounds, o.Players*o.Rounds)
}

// options play few rounds of every scenario; many where the test may take its
// time.
func (b *bench) options(url, dialect string) simulator.Options {
	o := simulator.Options{
		URL: url, Brand: "acme", Provider: dialect, Dialect: dialect, Secret: secretOf(dialect),
		Currency: "EUR", Players: 2, Rounds: 40, Seed: 1, Run: dialect, Cut: 20, Mix: map[simulator.Scenario]int{},
	}
	for _, scenario := range simulator.Scenarios() {
		o.Mix[simulator.Scenario(scenario)] = 1
	}
	if os.Getenv("WALLET_SOAK") != "" {
		o.Players, o.Rounds = 4, 200
	}
	return o
}

// simulate plays one provider over HTTP.
func (b *bench) simulate(dialect string, change ...func(*simulator.Options)) simulator.Report {
	b.t.Helper()
	server := httptest.NewServer(b.mux)
	defer server.Close()
	o := b.options(server.URL, dialect)
	for _, c := range change {
		c(&o)
	}
	ctx, cancel := context.WithTimeout(b.t.Context(), 5*time.Minute)
	defer cancel()
	report, err := simulator.Run(ctx, o)
	require.NoError(b.t, err)
	return report
}

// requireAllPlayed: no scenario is missing but those that the dialect cannot
// send.
func (b *bench) requireAllPlayed(report *simulator.Report) {
	b.t.Helper()
	missing := map[string][]string{
		"standard": {"win_rollback"}, "subunits": {"together", "mixed", "win_rollback"},
	}[report.Dialect]
	for _, scenario := range simulator.Scenarios() {
		played := slices.ContainsFunc(report.Scenarios, func(c simulator.ScenarioCount) bool {
			return string(c.Scenario) == scenario && c.Rounds > 0
		})
		require.Equal(b.t, !slices.Contains(missing, scenario), played, scenario)
	}
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
