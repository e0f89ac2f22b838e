package provider

import (
	"errors"

	"github.com/walletctl/walletctl/walletcore"
)

// judge says, by the policy, what a result comes to: nil is success.
func (p *Profile) judge(call *Call, result *Result) *Problem {
	for i := range result.Outcomes {
		if err := result.Outcomes[i].Err; err != nil && !errors.Is(err, ErrNotPosted) {
			return problemOf(err)
		}
	}
	if p.Policy.LateBet == Refused && has(result, Void) {
		return &Problem{Reason: RolledBack, Message: refusals[walletcore.RefusedRolledBack]}
	}
	if p.Policy.UnknownRollback == Refused && allUnknown(result) {
		return &Problem{Reason: UnknownTransaction, Message: "there is nothing under this id that could be rolled back"}
	}
	return nil
}

func has(result *Result, status Status) bool {
	for i := range result.Outcomes {
		if result.Outcomes[i].Status() == status {
			return true
		}
	}
	return false
}

// allUnknown: one action that did something makes the call a success. A
// provider that is told of a failure takes all of it for failed.
func allUnknown(result *Result) bool {
	for i := range result.Outcomes {
		if result.Outcomes[i].Status() != Tombstone {
			return false
		}
	}
	return len(result.Outcomes) > 0
}

// settle fills in what every problem needs: the profile's code for it, and the
// balance where the wallet was asked.
func (p *Profile) settle(problem *Problem, call *Call, result *Result) *Problem {
	problem.Code = p.code(problem.Reason)
	if result != nil {
		balance := spendable(result.Balance)
		problem.Balance, problem.Currency = &balance, call.Currency
	}
	return problem
}

// Balance is what a success shows: by the policy the balance after the last of
// its movements, equal the first time and every time after, or the current
// one.
func (p *Profile) Balance(result *Result) walletcore.Money {
	if p.Policy.DuplicateBalance == First && len(result.Outcomes) > 0 {
		last := &result.Outcomes[0].Posted.Receipt
		for i := range result.Outcomes {
			if r := &result.Outcomes[i].Posted.Receipt; r.Seq > last.Seq {
				last = r
			}
		}
		return spendable(walletcore.Parts{Real: last.RealAfter, Bonus: last.BonusAfter})
	}
	return spendable(result.Balance)
}

// spendable is what the player can bet: nothing while real is below zero.
func spendable(balance walletcore.Parts) walletcore.Money {
	if balance.Real.Sign() < 0 {
		return walletcore.Money{}
	}
	return balance.Total()
}
