package provider

import (
	"fmt"
	"slices"
	"strings"
)

// Choice is one answer to a question on which public contracts contradict each
// other.
type Choice string

// The choices. Which of them answers which question is told at [Policy].
const (
	First    Choice = "first"
	Current  Choice = "current"
	Accepted Choice = "accepted"
	Refused  Choice = "refused"
	ToReal   Choice = "real"
	ToBonus  Choice = "bonus"
	Debt     Choice = "debt"
	Single   Choice = "wallet"
	Global   Choice = "global"
)

// Policy answers the questions on which public contracts contradict each
// other. No answer moves money twice or for free. An empty one is the
// dialect's default.
type Policy struct {
	// DuplicateBalance: does a duplicate return the balance of the first time,
	// or the current one?
	DuplicateBalance Choice
	// LateBet: is a bet or win that comes, or comes again, after its own rollback
	// refused, or accepted without effect?
	LateBet Choice
	// UnknownRollback: is a rollback of nothing accepted, or refused with the
	// code for it? Either way it leaves its tombstone.
	UnknownRollback Choice
	// RefundAfterWin: may a bet be refunded after its win?
	RefundAfterWin Choice
	// WinWithoutBet: does a win that resolves no bet go to real, to bonus, or is
	// it refused?
	WinWithoutBet Choice
	// WinRollback: is one that the balance does not cover refused, or does it
	// make a debt?
	WinRollback Choice
	// IDs: are they unique in a wallet, or over all players?
	IDs Choice
}

// question is one field of a policy.
type question struct {
	name    string // in providers.yaml
	choices []Choice
	of      func(*Policy) *Choice
}

var questions = []question{
	{"duplicate_balance", []Choice{First, Current}, func(p *Policy) *Choice { return &p.DuplicateBalance }},
	{"late_bet", []Choice{Refused, Accepted}, func(p *Policy) *Choice { return &p.LateBet }},
	{"unknown_rollback", []Choice{Accepted, Refused}, func(p *Policy) *Choice { return &p.UnknownRollback }},
	{"refund_after_win", []Choice{Refused, Accepted}, func(p *Policy) *Choice { return &p.RefundAfterWin }},
	{"win_without_bet", []Choice{ToReal, ToBonus, Refused}, func(p *Policy) *Choice { return &p.WinWithoutBet }},
	{"win_rollback", []Choice{Refused, Debt}, func(p *Policy) *Choice { return &p.WinRollback }},
	{"ids", []Choice{Single, Global}, func(p *Policy) *Choice { return &p.IDs }},
}

// PolicyNames lists the questions as they are named in providers.yaml.
func PolicyNames() []string {
	names := make([]string, len(questions))
	for i, q := range questions {
		names[i] = q.name
	}
	return names
}

// Set answers the question of a name.
func (p *Policy) Set(name, choice string) error {
	for _, q := range questions {
		if q.name != name {
			continue
		}
		if !slices.Contains(q.choices, Choice(choice)) {
			return fmt.Errorf("is not one of %s", q.list())
		}
		*q.of(p) = Choice(choice)
		return nil
	}
	return fmt.Errorf("is not one of %s", strings.Join(PolicyNames(), ", "))
}

func (q *question) list() string {
	texts := make([]string, len(q.choices))
	for i, choice := range q.choices {
		texts[i] = string(choice)
	}
	return strings.Join(texts, ", ")
}

// orDefault answers what p leaves open.
func (p Policy) orDefault(defaults Policy) Policy {
	for _, q := range questions {
		if answer := q.of(&p); *answer == "" {
			*answer = *q.of(&defaults)
		}
	}
	return p
}

// check returns the first question without a legal answer.
func (p *Policy) check() (name, reason string) {
	for _, q := range questions {
		if !slices.Contains(q.choices, *q.of(p)) {
			return q.name, "is not one of " + q.list()
		}
	}
	return "", ""
}
