package replay_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/replay"
	"github.com/walletctl/walletctl/walletcore"
)

// told is what a story tells, in order, without ids.
func told(story replay.Story, where string) []string {
	var all []string
	for _, m := range story.Moments {
		if m.Where == where {
			all = append(all, m.What)
		}
	}
	return all
}

func fact(story replay.Story, name string) string {
	for _, f := range story.Facts {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

func TestExplain_ADepositFromItsMessageToItsEntry(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	s := b.stuck("10")
	story, err := b.ana.Explain(t.Context(), s)
	require.NoError(t, err)
	require.Equal(t, "no entry", fact(story, "gaming's ledger"))
	require.Equal(t, "unknown: gaming does not answer", fact(story, "last error"))
	ref := b.waitCase(s, "credit_exhausted")
	require.NoError(t, b.ana.Note(t.Context(), ref, "line cut"))
	b.line.cut.Store(false)
	b.replayed(b.ana, s)

	story, err = b.ana.Explain(t.Context(), s)
	require.NoError(t, err)
	require.Empty(t, story.Missing)
	require.Equal(t, []string{"message: confirmed"}, told(story, "gateway"))
	require.Equal(t, []string{"entry: deposit"}, told(story, "gaming"))
	require.Equal(t, "entry: deposit", fact(story, "gaming's ledger"))
	require.Contains(t, told(story, "casino"), "credited")
	require.Contains(t, told(story, "casino"), "replayed")
	for _, what := range []string{"opened", "noted", "closed"} {
		require.Contains(t, told(story, "oncall"), fmt.Sprintf("case %s (credit_exhausted) %s", ref, what))
	}
	require.Len(t, told(story, "queue"), 3, "the credit's and the effects' jobs")
	for i, m := range story.Moments {
		require.False(t, i > 0 && m.At.Before(story.Moments[i-1].At), "in order")
		if m.Where == "gateway" || m.Where == "gaming" {
			require.Equal(t, fact(story, "correlation id"), m.CorrelationID)
		}
	}
	text, err := json.Marshal(story)
	require.NoError(t, err)
	require.NotContains(t, string(text), "Jane Doe", "the payer is nobody's business")
}

func TestExplain_AWithdrawalToldWithoutItsDestination(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	b.rich("100")
	w := b.withdraw("20")
	b.wait(1, `casino.withdrawals where payout_requested_at is not null`)
	b.outcome(w, walletcore.PaymentRejected)
	b.waitStatus(w, "reversed")
	story, err := b.ana.Explain(t.Context(), w)
	require.NoError(t, err)
	require.Equal(t, []string{"entry: withdrawal", "entry: withdrawal_reversal"}, told(story, "gaming"))
	require.Equal(t, "reversed", fact(story, "status"))
	text, err := json.Marshal(story)
	require.NoError(t, err)
	require.NotContains(t, string(text), "token-1")
}

func TestExplain_WhatCannotBeReadIsSaid(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	s := b.stuck("10")
	alone := &replay.Desk{Casino: b.ana.Casino}
	story, err := alone.Explain(t.Context(), s)
	require.NoError(t, err)
	require.Equal(t, []string{"gaming's ledger: gaming's database is not given"}, story.Missing)
	require.Equal(t, "could not be read", fact(story, "gaming's ledger"))
	_, err = alone.Explain(t.Context(), replay.Subject{Type: replay.Deposit, ID: "dep_404"})
	require.ErrorIs(t, err, replay.ErrNotFound)
	_, err = alone.ExplainWallet(t.Context(), player.ID(), 0)
	require.ErrorIs(t, err, replay.ErrNoGaming)

	b.exec(`revoke select on casino.deposit_events from oncall`)
	story, err = b.ana.Explain(t.Context(), s)
	require.NoError(t, err)
	require.Len(t, story.Missing, 1)
	require.True(t, strings.HasPrefix(story.Missing[0], "history: "), story.Missing)
	require.NotEmpty(t, told(story, "gateway"))

	_, err = b.desk("nobody").Explain(t.Context(), s)
	require.ErrorContains(t, err, "permission denied")
	require.NotErrorIs(t, err, replay.ErrNotFound)
}

func TestExplain_AMessageOfAnUnknownDepositIsAStory(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	d := b.paid("1")
	known, err := b.deposits.Find(t.Context(), d.ID)
	require.NoError(t, err)
	known.ID = "dep_never"
	b.tell(&known, walletcore.PaymentConfirmed)
	story, err := b.ana.Explain(t.Context(), replay.Subject{Type: replay.Deposit, ID: "dep_never"})
	require.NoError(t, err)
	require.Empty(t, story.Facts)
	require.Equal(t, []string{"message: confirmed"}, told(story, "gateway"))
}

func TestExplainWallet_FactsFreezesCasesAndLastEntries(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	_, err := b.ana.ExplainWallet(t.Context(), player.ID(), 0)
	require.ErrorIs(t, err, replay.ErrNotFound)
	for range 3 {
		b.rich("10")
	}
	_, err = b.ana.Gaming.Exec(t.Context(), `select gaming.freeze_wallet($1, true, 'ticket 1'), gaming.freeze_brand('north', true, 'ticket 2')`, player.ID())
	require.NoError(t, err)
	story, err := b.ana.ExplainWallet(t.Context(), player.ID(), 2)
	require.NoError(t, err)
	require.Equal(t, "30.00000000", fact(story, "real"))
	require.Equal(t, "true", fact(story, "frozen"))
	require.Equal(t, []string{"entry: deposit", "entry: deposit"}, told(story, "gaming"))
	require.ElementsMatch(t, []string{"wallet frozen", "brand frozen"}, told(story, "oncall"))
	_, err = b.ana.ExplainWallet(t.Context(), player.ID(), 1001)
	require.Error(t, err)
}

func TestExplainMovement_EveryWalletWhereItOccurs(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.rich("100")
	_, err := b.line.Ledger.CreditDeposit(t.Context(), walletcore.DepositCredit{
		DepositID: "dep_1", Wallet: player, Amount: walletcore.MustParseMoney("1"), OccurredAt: time.Now(),
	})
	require.NoError(t, err)
	story, err := b.ana.ExplainMovement(t.Context(), "dep_1")
	require.NoError(t, err)
	require.Equal(t, "north / u-1 / EUR", fact(story, "wallet "+player.ID().String()))
	require.Equal(t, []string{"entry: deposit"}, told(story, "gaming"))

	_, err = b.ana.ExplainMovement(t.Context(), "opening")
	require.ErrorIs(t, err, replay.ErrNotFound, "it has no receipt")
	story, err = b.ana.ExplainMovement(t.Context(), "opening", player.ID())
	require.NoError(t, err)
	require.Equal(t, []string{"entry: opening"}, told(story, "gaming"))

	b.gamingCase()
	story, err = b.ana.ExplainMovement(t.Context(), "games:tx-1")
	require.NoError(t, err)
	require.Len(t, told(story, "oncall"), 1)
}

// Support looks things up while players play: nothing is read from end to end.
func TestExplain_FindsByKey(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for range 3 {
		b.rich("1")
	}
	for _, query := range replay.Lookups() {
		plan := b.plan(query)
		require.NotContains(t, plan, "Seq Scan", query+plan)
	}
}

// plan is how a query is run, whatever its parameters, where it need not be run
// by reading a table from end to end.
func (b *bench) plan(query string) string {
	b.t.Helper()
	tx, err := b.ana.Gaming.Begin(b.t.Context())
	require.NoError(b.t, err)
	defer func() { _ = tx.Rollback(context.Background()) }()
	_, err = tx.Exec(b.t.Context(), `set local enable_seqscan = off; set local plan_cache_mode = force_generic_plan`)
	require.NoError(b.t, err)
	_, err = tx.Exec(b.t.Context(), `deallocate prepare all; prepare look as `+query, pgx.QueryExecModeSimpleProtocol)
	require.NoError(b.t, err, query)
	var n int
	require.NoError(b.t, tx.QueryRow(b.t.Context(),
		`select cardinality(parameter_types) from pg_prepared_statements where name = 'look'`, pgx.QueryExecModeSimpleProtocol).Scan(&n))
	rows, err := tx.Query(b.t.Context(), `explain execute look(`+strings.TrimSuffix(strings.Repeat("null,", n), ",")+`)`,
		pgx.QueryExecModeSimpleProtocol)
	require.NoError(b.t, err)
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(b.t, err)
	return strings.Join(lines, "\n")
}
