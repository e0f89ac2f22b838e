package withdrawal_test

import (
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/wallettest"
	"github.com/walletctl/walletctl/walletcore/withdrawal"
)

// requireEnd waits until no job is under way, and asserts how the scenario must
// end and what holds at the end of every one.
func (b *bench) requireEnd(w *withdrawal.Withdrawal, s scenario) {
	b.t.Helper()
	require.Eventually(b.t, func() bool {
		return b.count(`casino.river_job where state in ('available', 'running', 'retryable', 'scheduled', 'pending')`) == 0
	}, 30*time.Second, 10*time.Millisecond, "jobs do not end")
	if s.status != "" {
		require.Equal(b.t, s.status, b.get(w.ID).Status)
	}
	if s.debits >= 0 {
		require.Equal(b.t, s.debits, b.moved(debit, w.ID), "debits")
	}
	if s.reversals >= 0 && s.debits >= 0 {
		require.Equal(b.t, s.reversals, b.moved(back, w.ID), "reversals")
	}
	require.Equal(b.t, s.balance, b.balance())
	require.Equal(b.t, s.cases, b.openCases(w.ID))
	if s.status != "" {
		require.Equal(b.t, s.payouts, b.differentPayouts(w.ID), "payouts")
	}
	b.requireWhole()
}

func (b *bench) openCases(id string) string {
	b.t.Helper()
	rows, err := b.admin.Query(b.t.Context(),
		`select kind::text from casino.cases where subject_id = $1 and closed_at is null`, id)
	require.NoError(b.t, err)
	defer rows.Close()
	var kinds []string
	for rows.Next() {
		var kind string
		require.NoError(b.t, rows.Scan(&kind))
		kinds = append(kinds, kind)
	}
	require.NoError(b.t, rows.Err())
	slices.Sort(kinds)
	return strings.Join(kinds, " ")
}

// differentPayouts counts the requests by message id: a repetition is the same.
func (b *bench) differentPayouts(id string) int {
	different := map[string]bool{}
	for _, p := range b.payer.of(id) {
		different[p.MessageID] = true
	}
	return len(different)
}

// requireWhole asserts what holds at the end of every test.
func (b *bench) requireWhole() {
	b.t.Helper()
	wallettest.RequireClosed(b.t, b.admin, wallettest.Keys(b.t))
	require.Zero(b.t, b.count(`
casino.withdrawals w
join lateral (
  select count(*) filter (where kind = 'withdrawal' and mark is null) as debits,
    count(*) filter (where kind = 'withdrawal_reversal' and mark is null) as reversals
  from gaming.entries e
  where e.external_id = w.id) moved on true
where debits > 1 or reversals > debits
  or (w.status in ('debited', 'paid') and (debits, reversals) <> (1, 0))
  or (w.status = 'reversed' and debits <> reversals)
  or (w.status = 'paid' and not exists (select from casino.payouts p where p.withdrawal_id = w.id))
  or (w.status <> 'paid' and exists (select from casino.payouts p where p.withdrawal_id = w.id))`),
		"a withdrawal's status is not what the ledger says")
}
