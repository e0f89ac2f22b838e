package ledger_test

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
)

// told is what a caller learns from an answer, the wallet's balance after it
// included.
type told struct {
	refused  walletcore.RefusalCode
	conflict string // the field
	replayed bool
	entry    written
	balance  walletcore.Parts
}

// written is what stands under a key.
type written struct {
	seq           int64
	mark          walletcore.Mark
	before, after walletcore.Parts
}

// toldOf reads an answer. The error is one that no caller may get.
func toldOf(result *ledger.Result) (told, error) {
	answer := told{balance: result.Balance}
	err := result.Outcomes[0].Err
	var refused *walletcore.RefusedError
	var conflict *walletcore.ConflictError
	switch posted := &result.Outcomes[0].Posted; {
	case errors.As(err, &refused):
		answer.refused = refused.Code
	case errors.As(err, &conflict):
		answer.conflict = conflict.Field
	case err != nil:
		return answer, err
	default:
		r := &posted.Receipt
		answer.replayed = posted.Replayed
		answer.entry = written{
			seq: r.Seq, mark: r.Mark,
			before: walletcore.Parts{Real: r.RealBefore, Bonus: r.BonusBefore},
			after:  walletcore.Parts{Real: r.RealAfter, Bonus: r.BonusAfter},
		}
	}
	return answer, nil
}

// account is a wallet to which one thing happens after another. It never
// changes: each step makes a new one.
type account struct {
	model   *model
	entries map[string]written
}

func newAccount() account { return account{model: newModel(), entries: map[string]written{}} }

func (a account) balance() walletcore.Parts {
	return walletcore.Parts{Real: walletcore.MoneyFromUnits(a.model.real), Bonus: walletcore.MoneyFromUnits(a.model.bonus)}
}

// post is what a ledger with one caller would do and answer.
func (a account) post(m ledger.Movement) (account, told) {
	name := string(m.Kind) + " " + m.ExternalID
	if entry, ok := a.entries[name]; ok {
		return a, a.again(m, entry)
	}
	next := account{model: a.model.clone(), entries: maps.Clone(a.entries)}
	next.model.play(m)
	effect, ok := next.model.done[name]
	if !ok {
		return a, told{refused: walletcore.RefusedNoFunds, balance: a.balance()}
	}
	entry := written{seq: int64(len(a.entries)) + 1, before: a.balance(), after: next.balance()}
	if effect.mark {
		entry.mark = walletcore.MarkVoid
		if _, undoes := m.Kind.Undoes(); undoes {
			entry.mark = walletcore.MarkTombstone
		}
	}
	next.entries[name] = entry
	return next, told{entry: entry, balance: next.balance()}
}

// again answers a key that stands there: the original, or what differs.
func (a account) again(m ledger.Movement, entry written) told {
	moved := entry.after.Total().Sub(entry.before.Total())
	_, undoes := m.Kind.Undoes()
	omitted := undoes && m.Amount.IsZero()
	if entry.mark == "" && !omitted && moved != m.Amount && moved.Neg() != m.Amount {
		return told{conflict: "amount", balance: a.balance()}
	}
	return told{replayed: true, entry: entry, balance: a.balance()}
}

func (m *model) clone() *model {
	return &model{
		real: m.real, bonus: m.bonus, done: maps.Clone(m.done), round: maps.Clone(m.round), won: maps.Clone(m.won),
	}
}

// sequential is the account as the checker takes it: histories are checked
// wallet by wallet.
var sequential = porcupine.Model{
	Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
		parts := map[walletcore.WalletKey][]porcupine.Operation{}
		for _, o := range history {
			wallet := o.Input.(ledger.Movement).Wallet
			parts[wallet] = append(parts[wallet], o)
		}
		var all [][]porcupine.Operation
		for _, part := range parts {
			all = append(all, part)
		}
		return all
	},
	Init: func() any { return newAccount() },
	Step: func(state, input, output any) (bool, any) {
		next, answer := state.(account).post(input.(ledger.Movement))
		return answer == output.(told), next
	},
	Equal: reflect.DeepEqual,
	DescribeOperation: func(input, output any) string {
		m := input.(ledger.Movement)
		return fmt.Sprintf("%s %s of %s: %+v", m.Kind, m.ExternalID, m.Amount, output.(told))
	},
}

// TestSequential_ABrokenHistoryIsReported shows that the check can fail: it
// breaks a good history as a broken wallet would.
func TestSequential_ABrokenHistoryIsReported(t *testing.T) {
	t.Parallel()
	good := goodHistory(t)
	require.True(t, porcupine.CheckOperations(sequential, good), describe(good))
	first := good[1].Output.(told).entry
	for what, breakIt := range map[string]func(history []porcupine.Operation, second, last *told){
		"a duplicate takes money again": func(_ []porcupine.Operation, second, _ *told) {
			*second = told{entry: written{seq: 3, before: first.after, after: walletcore.Parts{}}}
		},
		"a duplicate is told another receipt": func(_ []porcupine.Operation, second, _ *told) { second.entry.seq++ },
		"a duplicate is told that it is new":  func(_ []porcupine.Operation, second, _ *told) { second.replayed = false },
		"a refusal while there is money": func(_ []porcupine.Operation, _, last *told) {
			*last = told{refused: walletcore.RefusedNoFunds, balance: last.entry.before}
		},
		"a balance from before": func(_ []porcupine.Operation, _, last *told) { last.balance = last.entry.before },
		"two bets spend the same money": func(_ []porcupine.Operation, _, last *told) {
			last.entry.before, last.entry.after = first.before, first.after
		},
		"what was answered is gone": func(history []porcupine.Operation, _, _ *told) { history[1] = history[0] },
		"a bet spends what was paid in after it had ended": func(history []porcupine.Operation, _, _ *told) {
			history[6].Call, history[6].Return = history[4].Return+1, history[4].Return+2
		},
	} {
		broken := slices.Clone(good)
		second, last := broken[2].Output.(told), broken[6].Output.(told)
		breakIt(broken, &second, &last)
		broken[2].Output, broken[6].Output = second, last
		require.False(t, porcupine.CheckOperations(sequential, broken), what)
	}
}

// goodHistory is one of a single client, with time between the calls.
func goodHistory(t *testing.T) []porcupine.Operation {
	t.Helper()
	b := newBench(t)
	r := &recorder{began: time.Now()}
	bet := func(id string) ledger.Movement { return b.play(walletcore.KindBet, id, "6") }
	for _, m := range []ledger.Movement{
		b.play(walletcore.KindDeposit, "d-1", "10"), bet("b-1"), bet("b-1"), bet("b-2"),
		b.play(walletcore.KindRefund, "b-3", "0"), b.play(walletcore.KindDeposit, "d-2", "10"), bet("b-2"),
	} {
		r.post(t, b.ledger, 0, m)
	}
	require.NoError(t, r.err)
	for i := range r.all {
		r.all[i].Call, r.all[i].Return = int64(10*i), int64(10*i+5)
	}
	return r.all
}
