package simulator

import (
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/provider"
)

// take finds the record of a key, or makes it, or says why there is none.
func (m *model) take(k key, round string, amount walletcore.Money) (*record, provider.Reason) {
	if found := m.records[k]; found != nil {
		return found, m.again(k, found, amount)
	}
	if mark := m.markOf(k); mark != "" {
		if mark == void && m.policy.LateBet == provider.Refused {
			return nil, provider.RolledBack
		}
		return m.add(k, &record{mark: mark, round: round}), ""
	}
	change, reason := m.change(k, round, amount)
	if reason != "" {
		return nil, reason
	}
	m.balance = m.balance.Add(change)
	return m.add(k, &record{amount: magnitude(change), round: round}), ""
}

// again: what is late is refused also where it comes again after it was undone.
func (m *model) again(k key, found *record, amount walletcore.Money) provider.Reason {
	if reason := found.differs(k.kind, amount); reason != "" {
		return reason
	}
	undone := m.records[key{counterparts[k.kind], k.id}] != nil
	if undone && (k.kind == provider.Bet || k.kind == provider.Win) && m.policy.LateBet == provider.Refused {
		return provider.RolledBack
	}
	return ""
}

// differs: an honest resend is equal. What undoes may leave its amount out.
func (r *record) differs(kind provider.Kind, amount walletcore.Money) provider.Reason {
	omitted := amount.IsZero() && (kind == provider.Refund || kind == provider.WinReversal)
	if r.mark == "" && r.amount != amount && !omitted {
		return provider.ConflictingID
	}
	return ""
}

func (m *model) add(k key, r *record) *record {
	r.order, r.after, r.ids = len(m.journal), m.shown(), map[string]string{}
	m.records[k] = r
	m.journal = append(m.journal, k)
	return r
}

// markOf says what came in the wrong order.
func (m *model) markOf(k key) mark {
	other := m.records[key{counterparts[k.kind], k.id}]
	undoes := k.kind == provider.Refund || k.kind == provider.WinReversal
	switch {
	case undoes && (other == nil || other.mark == void):
		return tombstone
	case !undoes && other != nil:
		return void
	}
	return ""
}

// change is what a new record does to the balance.
func (m *model) change(k key, round string, amount walletcore.Money) (walletcore.Money, provider.Reason) {
	switch k.kind {
	case provider.Bet:
		if amount.Cmp(m.balance) > 0 || m.balance.Sign() < 0 {
			return zero, provider.NoFunds
		}
		return amount.Neg(), ""
	case provider.Win:
		if !amount.IsZero() && m.policy.WinWithoutBet == provider.Refused && !m.hasBet(round) {
			return zero, provider.NoBet
		}
		return amount, ""
	case provider.Refund:
		return m.refund(k, amount)
	}
	return m.reverse(k, amount)
}

func (m *model) refund(k key, amount walletcore.Money) (walletcore.Money, provider.Reason) {
	bet := m.records[key{provider.Bet, k.id}]
	switch {
	case m.policy.RefundAfterWin == provider.Refused && m.isSettled(bet.round):
		return zero, provider.Settled
	case bet.differs(provider.Refund, amount) != "":
		return zero, provider.ConflictingID
	}
	return bet.amount, ""
}

func (m *model) reverse(k key, amount walletcore.Money) (walletcore.Money, provider.Reason) {
	win := m.records[key{provider.Win, k.id}]
	switch {
	case win.differs(provider.WinReversal, amount) != "":
		return zero, provider.ConflictingID
	case win.amount.Cmp(m.balance) > 0 && m.policy.WinRollback == provider.Refused:
		return zero, provider.NoFunds
	}
	return win.amount.Neg(), ""
}

// hasBet: the round has a bet that was paid and not given back.
func (m *model) hasBet(round string) bool {
	return m.has(round, provider.Bet, func(r *record) bool { return !r.amount.IsZero() })
}

// isSettled: the round has a win that stands.
func (m *model) isSettled(round string) bool {
	return m.has(round, provider.Win, func(*record) bool { return true })
}

// has looks for a record of the round that was not undone.
func (m *model) has(round string, kind provider.Kind, fits func(*record) bool) bool {
	for _, k := range m.journal {
		r := m.records[k]
		undone := m.records[key{counterparts[kind], k.id}] != nil
		if k.kind == kind && r.round == round && r.mark == "" && !undone && fits(r) {
			return true
		}
	}
	return false
}

func magnitude(amount walletcore.Money) walletcore.Money {
	if amount.Sign() < 0 {
		return amount.Neg()
	}
	return amount
}
