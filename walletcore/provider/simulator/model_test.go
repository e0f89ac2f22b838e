package simulator_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/provider"
	"github.com/walletctl/walletctl/walletcore/provider/simulator"
)

// strict and lenient answer every question in opposite ways.
var (
	strict = provider.Policy{
		DuplicateBalance: provider.First, LateBet: provider.Refused, UnknownRollback: provider.Refused,
		RefundAfterWin: provider.Refused, WinWithoutBet: provider.Refused, WinRollback: provider.Refused,
	}
	lenient = provider.Policy{
		DuplicateBalance: provider.Current, LateBet: provider.Accepted, UnknownRollback: provider.Accepted,
		RefundAfterWin: provider.Accepted, WinWithoutBet: provider.ToReal, WinRollback: provider.Debt,
	}
)

func bet(id, amount string) simulator.Action {
	return simulator.Action{Kind: provider.Bet, ID: id, Amount: walletcore.MustParseMoney(amount)}
}

func win(id, amount string) simulator.Action {
	return simulator.Action{Kind: provider.Win, ID: id, Amount: walletcore.MustParseMoney(amount)}
}

func rollback(id, undoes string) simulator.Action {
	return simulator.Action{Kind: provider.Rollback, ID: id, Undoes: undoes}
}

func inRound(round string, actions ...simulator.Action) simulator.Call {
	return simulator.Call{Round: round, Actions: actions}
}

// step is a call and what the contract answers.
type step struct {
	call    simulator.Call
	reason  provider.Reason
	balance string
	moved   bool
}

func requireAnswers(t *testing.T, policy provider.Policy, rollbacks bool, steps []step) {
	t.Helper()
	m := simulator.NewModel(policy, rollbacks, walletcore.MustParseMoney("10"))
	for i, s := range steps {
		reason, balance, moved := m.Apply(s.call)
		require.Equal(t, s.reason, reason, "step %d", i)
		require.Equal(t, walletcore.MustParseMoney(s.balance).String(), balance.String(), "step %d", i)
		require.Equal(t, s.moved, moved, "step %d", i)
	}
}

func TestModel_ADuplicateMovesNothing(t *testing.T) {
	t.Parallel()
	b, w := inRound("r", bet("b", "4")), inRound("r", win("w", "1"))
	requireAnswers(t, strict, false, []step{
		{b, "", "6", true},
		{w, "", "7", true},
		{b, "", "6", false},
		{w, "", "7", false},
		{inRound("r", bet("b", "4.01")), provider.ConflictingID, "7", false},
		{inRound("r", bet("b", "4"), win("w2", "1")), "", "8", true},
	})
	requireAnswers(t, lenient, false, []step{{b, "", "6", true}, {w, "", "7", true}, {b, "", "7", false}})
}

func TestModel_ARefusalLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	requireAnswers(t, strict, true, []step{
		{inRound("r", bet("a", "3"), bet("b", "7.01")), provider.NoFunds, "10", false},
		{inRound("r", bet("a", "3")), "", "7", true},
		{inRound("r", bet("b", "7")), "", "0", true},
		{inRound("q", win("w", "1")), provider.NoBet, "0", false},
		{inRound("q", bet("zero", "0")), "", "0", false},
		{inRound("q", win("w", "1")), provider.NoBet, "0", false},
		{inRound("r", win("w", "1")), "", "1", true},
		{simulator.Call{Forged: true, Actions: []simulator.Action{bet("f", "1")}}, provider.BadSignature, "0", false},
	})
}

func TestModel_ARollbackBeforeItsBet(t *testing.T) {
	t.Parallel()
	undo, late := inRound("r", rollback("x", "b")), inRound("r", bet("b", "4"))
	for _, rollbacks := range []bool{true, false} {
		requireAnswers(t, strict, rollbacks, []step{
			{undo, provider.UnknownTransaction, "10", false},
			{late, provider.RolledBack, "10", false},
			{undo, provider.UnknownTransaction, "10", false},
			{late, provider.RolledBack, "10", false},
		})
		requireAnswers(t, lenient, rollbacks, []step{
			{undo, "", "10", false}, {late, "", "10", false}, {undo, "", "10", false}, {late, "", "10", false},
		})
	}
	// Where a rollback is of bets alone a win of the same id is free.
	requireAnswers(t, lenient, true, []step{{undo, "", "10", false}, {inRound("r", win("b", "1")), "", "10", false}})
	requireAnswers(t, lenient, false, []step{{undo, "", "10", false}, {inRound("r", win("b", "1")), "", "11", true}})
}

func TestModel_ABetIsGivenBackOnce(t *testing.T) {
	t.Parallel()
	b := inRound("r", bet("b", "4"))
	wrong := rollback("x", "b")
	wrong.Amount = walletcore.MustParseMoney("5")
	for _, policy := range []provider.Policy{strict, lenient} {
		requireAnswers(t, policy, true, []step{
			{b, "", "6", true},
			{inRound("r", wrong), provider.ConflictingID, "6", false},
			{inRound("r", rollback("x", "b")), "", "10", true},
			{inRound("r", rollback("y", "b")), "", "10", false},
		})
	}
	w := inRound("r", win("w", "0"))
	requireAnswers(t, strict, true, []step{
		{b, "", "6", true},
		{w, "", "6", false},
		{inRound("r", rollback("x", "b")), provider.Settled, "6", false},
		{inRound("r", rollback("y", "w")), "", "6", false},
		{inRound("r", rollback("x", "b")), "", "10", true},
	})
	requireAnswers(t, lenient, true, []step{{b, "", "6", true}, {w, "", "6", false}, {inRound("r", rollback("x", "b")), "", "10", true}})
}

func TestModel_AWinIsTakenBackOnce(t *testing.T) {
	t.Parallel()
	undo := inRound("r", rollback("x", "w"))
	spend := inRound("q", bet("all", "11"))
	w := inRound("r", bet("b", "4"), win("w", "5"))
	requireAnswers(t, strict, true, []step{
		{w, "", "11", true}, {undo, "", "6", true}, {undo, "", "6", false}, {w, provider.RolledBack, "6", false},
	})
	requireAnswers(t, strict, true, []step{{w, "", "11", true}, {spend, "", "0", true}, {undo, provider.NoFunds, "0", false}})
	requireAnswers(t, lenient, true, []step{
		{w, "", "11", true}, {spend, "", "0", true}, {undo, "", "0", true}, {inRound("q", bet("more", "0.01")), provider.NoFunds, "0", false},
	})
}

func TestOrders_AreThoseThatAServiceMayHaveTaken(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"01", "10"}, simulator.Turns(false, false))
	require.ElementsMatch(t, []string{"0g01", "0g10", "10g0"}, simulator.Turns(true, false))
	require.Len(t, simulator.Turns(true, true), 6)
}
