package ledger_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
)

// model is the ledger told again, without locks, batches or a database: what
// each wallet must hold after a history. It counts in units of 0.00000001 and
// keeps one effect for each key.
type model struct {
	real, bonus int64
	done        map[string]effect // kind and id
	round       map[string]string // of bets
	won         map[string]bool   // rounds with a standing win
}

type effect struct {
	real, bonus int64
	mark        bool
}

func newModel() *model {
	return &model{done: map[string]effect{}, round: map[string]string{}, won: map[string]bool{}}
}

// play applies a movement to the model.
func (m *model) play(v ledger.Movement) {
	name := string(v.Kind) + " " + v.ExternalID
	if _, ok := m.done[name]; ok {
		return
	}
	e, ok := m.effect(v)
	if !ok {
		return
	}
	m.real, m.bonus = m.real+e.real, m.bonus+e.bonus
	m.done[name] = e
	if v.Kind == walletcore.KindBet {
		m.round[v.ExternalID] = v.RoundID
	}
}

func (m *model) effect(v ledger.Movement) (effect, bool) {
	amount := v.Amount.Units()
	switch v.Kind {
	case walletcore.KindDeposit:
		return effect{real: amount}, true
	case walletcore.KindBonusGrant:
		return effect{bonus: amount}, true
	case walletcore.KindBonusConversion:
		return effect{real: amount, bonus: -amount}, amount <= m.bonus
	case walletcore.KindWithdrawal:
		if m.has(walletcore.KindWithdrawalReversal, v.ExternalID) {
			return effect{mark: true}, true
		}
		return effect{real: -amount}, amount <= m.real
	case walletcore.KindBet:
		if m.has(walletcore.KindRefund, v.ExternalID) {
			return effect{mark: true}, true
		}
		paid := min(amount, m.real)
		return effect{real: -paid, bonus: paid - amount}, amount <= m.real+m.bonus
	case walletcore.KindWin:
		return m.win(v, amount), true
	case walletcore.KindRefund:
		return m.undo(walletcore.KindBet, v, amount)
	case walletcore.KindWithdrawalReversal:
		return m.undo(walletcore.KindWithdrawal, v, amount)
	default:
		e, ok := m.undo(walletcore.KindWin, v, amount)
		if m.bonus+e.bonus < 0 { // what bonus lacks is taken from real
			e.real, e.bonus = e.real+m.bonus+e.bonus, -m.bonus
		}
		return e, ok && (m.real+e.real >= 0 || e.real >= 0)
	}
}

func (m *model) has(kind walletcore.Kind, id string) bool {
	_, ok := m.done[string(kind)+" "+id]
	return ok
}

func (m *model) undo(kind walletcore.Kind, v ledger.Movement, amount int64) (effect, bool) {
	e, ok := m.done[string(kind)+" "+v.ExternalID]
	if !ok {
		return effect{mark: true}, true
	}
	total := e.real + e.bonus
	if amount != 0 && amount != max(total, -total) {
		return effect{}, false
	}
	return effect{real: -e.real, bonus: -e.bonus}, true
}

// win goes to real or bonus in the proportion of its round's unrefunded bets.
func (m *model) win(v ledger.Movement, amount int64) effect {
	if m.has(walletcore.KindWinReversal, v.ExternalID) {
		return effect{mark: true}
	}
	var real, bonus int64
	for id, round := range m.round {
		bet := m.done["bet "+id]
		if round == v.RoundID && !bet.mark && !m.has(walletcore.KindRefund, id) {
			real, bonus = real-bet.real, bonus-bet.bonus
		}
	}
	if real+bonus == 0 {
		return effect{real: amount}
	}
	split := walletcore.SplitWin(v.Amount, walletcore.Parts{
		Real: walletcore.MoneyFromUnits(real), Bonus: walletcore.MoneyFromUnits(bonus),
	})
	return effect{real: split.Real.Units(), bonus: split.Bonus.Units()}
}

var modelKinds = []walletcore.Kind{
	walletcore.KindDeposit, walletcore.KindBonusGrant, walletcore.KindBonusConversion,
	walletcore.KindBet, walletcore.KindBet, walletcore.KindWin, walletcore.KindRefund, walletcore.KindWinReversal,
	walletcore.KindWithdrawal, walletcore.KindWithdrawalReversal,
}

// drawHistory makes a history with few ids, so that resends, reorderings and
// conflicts are the rule.
func drawHistory(t *rapid.T, b *bench) []ledger.Movement {
	kinds := rapid.SampledFrom(modelKinds)
	history := make([]ledger.Movement, rapid.IntRange(10, 40).Draw(t, "length"))
	for i := range history {
		kind := kinds.Draw(t, "kind")
		id := fmt.Sprintf("%d", rapid.IntRange(1, 5).Draw(t, "id"))
		amount := walletcore.MoneyFromUnits(rapid.Int64Range(1, 40).Draw(t, "amount") * 50_000_000) // steps of 0.50
		if _, undoes := kind.Undoes(); undoes && rapid.Bool().Draw(t, "without amount") {
			amount = walletcore.Money{}
		}
		history[i] = b.play(kind, id, amount.String(), func(m *ledger.Movement) {
			m.RoundID, m.Rules.RefundAfterWin = "", true
			if kind == walletcore.KindBet || kind == walletcore.KindWin {
				m.RoundID = "round-" + string('a'+rune(len(id)+int(id[0]))%2)
			}
		})
	}
	return history
}

// A thousand histories, a hundred (-rapid.checks) in each of ten that run side
// by side on one ledger.
func TestPost_RandomHistoriesEndAsTheModelSays(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	t.Run("side by side", func(t *testing.T) {
		for i := range 10 {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				count := 0
				rapid.Check(t, func(t *rapid.T) {
					count++
					b.playHistory(t, fmt.Sprintf("model-%d-%d", i, count))
				})
			})
		}
	})
	b.requireClosed()
	require.Zero(t, b.count(`select count(*) from gaming.wallets where real < 0 or bonus < 0`))
}

// playHistory posts a drawn history of one user in batches, and holds the
// balance against the model's after each.
func (b *bench) playHistory(t *rapid.T, user string) {
	model := newModel()
	history := drawHistory(t, b)
	size := rapid.IntRange(1, 6).Draw(t, "batch")
	for len(history) > 0 {
		n := min(size, len(history))
		requests := make([]ledger.Request, n)
		for i := range n {
			m := history[i]
			m.Wallet.User = user
			if m.Kind.Global() {
				m.ExternalID = user + "/" + m.ExternalID
			}
			requests[i] = ledger.Request{m}
			model.play(m)
		}
		results, err := b.ledger.Post(b.t.Context(), requests)
		require.NoError(t, err)
		for i := range results {
			requireAnswer(t, &results[i])
		}
		history = history[n:]
		last := results[n-1].Balance
		require.Equal(t, [2]int64{model.real, model.bonus}, [2]int64{last.Real.Units(), last.Bonus.Units()})
	}
}

// requireAnswer: a movement stands, or is refused for a reason with a name.
func requireAnswer(t *rapid.T, result *ledger.Result) {
	err := result.Err()
	var refused *walletcore.RefusedError
	var conflict *walletcore.ConflictError
	require.True(t, err == nil || errors.As(err, &refused) || errors.As(err, &conflict), "%v", err)
}
