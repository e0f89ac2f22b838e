package simulator

import (
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/provider"
)

var zero walletcore.Money

// mark says why a record moved nothing.
type mark string

const (
	tombstone mark = "tombstone" // of something that was not there
	void      mark = "void"      // came after its own tombstone
)

// key is what makes a record one: its kind, and the id of the bet or win.
type key struct {
	kind provider.Kind
	id   string
}

// counterparts are what undoes a bet and a win, and back.
var counterparts = map[provider.Kind]provider.Kind{
	provider.Bet: provider.Refund, provider.Refund: provider.Bet,
	provider.Win: provider.WinReversal, provider.WinReversal: provider.Win,
}

// record is a movement that has to be in the service's ledger.
type record struct {
	amount walletcore.Money
	mark   mark
	round  string
	order  int               // of records, as they were made
	after  walletcore.Money  // the balance
	ids    map[string]string // ours, by the id under which it was sent
}

// model is one player's wallet as the contract wants it. A bookmark takes it
// back, so that several orders of the same calls can be tried.
type model struct {
	policy    provider.Policy
	rollbacks bool // undo bets and wins alike
	balance   walletcore.Money
	records   map[key]*record
	journal   []key // in the order of the records
}

type bookmark struct {
	balance walletcore.Money
	records int
}

func newModel(policy provider.Policy, rollbacks bool) *model {
	return &model{policy: policy, rollbacks: rollbacks, records: map[key]*record{}}
}

func (m *model) bookmark() bookmark { return bookmark{m.balance, len(m.journal)} }

func (m *model) back(to bookmark) {
	for _, k := range m.journal[to.records:] {
		delete(m.records, k)
	}
	m.balance, m.journal = to.balance, m.journal[:to.records]
}

// shown is the balance as a service tells it: nothing while it is below zero.
func (m *model) shown() walletcore.Money {
	if m.balance.Sign() < 0 {
		return zero
	}
	return m.balance
}

// verdict is what the contract answers to a call.
type verdict struct {
	reason   provider.Reason // empty: success
	balance  walletcore.Money
	records  []*record // of each action, where it succeeds
	moved    bool      // money moved
	replayed bool      // all of it was there before
	// other is the balance by the other answer to what a duplicate shows.
	other walletcore.Money
}

// apply plays a call, whole or not at all.
func (m *model) apply(call *Call) verdict {
	before := m.bookmark()
	if call.Forged {
		return verdict{reason: provider.BadSignature}
	}
	var v verdict
	for i := range call.Actions {
		record, reason := m.act(call.Round, &call.Actions[i])
		if reason != "" {
			m.back(before)
			return verdict{reason: reason, balance: m.shown()}
		}
		v.records = append(v.records, record)
	}
	v.moved, v.replayed = m.balance != before.balance, len(m.journal) == before.records
	v.balance, v.other = m.shown(), m.last(v.records)
	if m.policy.DuplicateBalance == provider.First {
		v.balance, v.other = v.other, v.balance
	}
	if m.policy.UnknownRollback == provider.Refused && allTombstones(v.records) {
		v.reason, v.balance = provider.UnknownTransaction, m.shown()
	}
	return v
}

// last is the balance after the last of the records.
func (m *model) last(records []*record) walletcore.Money {
	balance, order := m.shown(), -1
	for _, r := range records {
		if r.order > order {
			balance, order = r.after, r.order
		}
	}
	return balance
}

// allTombstones: one action that did something makes the call a success.
func allTombstones(records []*record) bool {
	for _, r := range records {
		if r.mark != tombstone {
			return false
		}
	}
	return len(records) > 0
}

// act plays one action. A rollback that does not say what it undoes is of a bet
// and of a win; what moved money stands for both.
func (m *model) act(round string, a *Action) (*record, provider.Reason) {
	if a.Kind != provider.Rollback {
		return m.take(key{a.Kind, a.ID}, round, a.Amount)
	}
	refund, reason := m.take(key{provider.Refund, a.Undoes}, round, a.Amount)
	if reason != "" || !m.rollbacks {
		return refund, reason
	}
	reversal, reason := m.take(key{provider.WinReversal, a.Undoes}, round, a.Amount)
	if refund.mark != "" && reason == "" && reversal.mark == "" {
		return reversal, ""
	}
	return refund, reason
}
