package simulator

import (
	"encoding/json"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/provider"
)

// Encode is the operation and the body of a call, as they are sent; a call
// without actions asks for the balance.
func Encode(dialect, user, currency string, step int64, call *Call) (operation, body string) {
	w := wallet{user: user, currency: currency, step: step}
	m := dialects[dialect].look(w, call.Round)
	if len(call.Actions) > 0 {
		m = dialects[dialect].play(w, call)
	}
	text, err := json.Marshal(m.body)
	if err != nil {
		panic(err)
	}
	return m.operation, string(text)
}

// Model is a player's wallet as the contract wants it.
type Model struct{ m *model }

// NewModel begins with a balance. Rollbacks say that they undo bets and wins
// alike.
func NewModel(policy provider.Policy, rollbacks bool, balance walletcore.Money) Model {
	m := newModel(policy, rollbacks)
	m.balance = balance
	return Model{m}
}

// Apply returns why a call is refused, or nothing, the balance that is
// answered, and whether money moved.
func (m Model) Apply(call Call) (reason provider.Reason, balance walletcore.Money, moved bool) {
	v := m.m.apply(&call)
	return v.reason, v.balance, v.moved
}

// Turns lists the orders of calls: each by its index, a ghost's with a "g".
func Turns(ghosts ...bool) []string {
	calls := make([]sent, len(ghosts))
	for i := range calls {
		calls[i] = sent{call: &Call{}, ghost: ghosts[i]}
	}
	var texts []string
	for _, order := range orders(calls) {
		text := ""
		for _, t := range order {
			text += string(rune('0' + t.index))
			if t.ghost {
				text += "g"
			}
		}
		texts = append(texts, text)
	}
	return texts
}
