package simulator

import (
	"slices"

	"github.com/walletctl/walletctl/walletcore/provider"
)

// Scenario is what happens in a round.
type Scenario string

// The scenarios.
const (
	Won            Scenario = "won"              // bet, win
	Lost           Scenario = "lost"             // bet, win of zero
	Together       Scenario = "together"         // bet and win in one call
	Mixed          Scenario = "mixed"            // an old action and a new one in one call
	Duplicates     Scenario = "duplicates"       // bet and win again, before and after each other
	Burst          Scenario = "burst"            // many copies of a bet at once, then of a win
	RefundedBet    Scenario = "refund"           // bet, refund, again, and again under another id
	RefundBurst    Scenario = "refund_burst"     // many copies of a refund at once
	RefundAfterWin Scenario = "refund_after_win" // bet, win, refund
	EarlyRollback  Scenario = "early_rollback"   // rollback, then its bet
	EarlyRollbacks Scenario = "early_rollbacks"  // two rollbacks, then their bet and win
	WinFirst       Scenario = "win_first"        // win, then its bet
	RolledBackWin  Scenario = "win_rollback"     // bet, win, rollback of the win
	Race           Scenario = "race"             // a bet and its rollback at once
	TwoBets        Scenario = "two_bets"         // two bets of one player at once
	LastMoney      Scenario = "last_money"       // two bets at once, each of all the money
	OtherAmount    Scenario = "other_amount"     // the same id with another amount
	NoFunds        Scenario = "no_funds"         // more than there is; then the same id with less
	OddIDs         Scenario = "odd_ids"          // ids that differ in their last digit, byte or case
	CutOff         Scenario = "cut_off"          // each call's connection breaks up to three times
	Forged         Scenario = "forged"           // a wrong signature, then the right one
	LateDuplicates Scenario = "late_duplicates"  // the last round: calls of all rounds again
	Funding        Scenario = "funding"          // a win without a bet, where a player has too little
	Start          Scenario = "start"            // a player's first balance
)

// kindOfRound is how a scenario is planned.
type kindOfRound struct {
	scenario Scenario
	weight   int // of 100 rounds about so many
	compose  func(*builder) []Step
	has      func(*traits) bool // nil: every dialect has it
	// firm rounds are not cut: a copy of a refused call that arrives late could
	// still succeed.
	firm bool
}

var kindsOfRounds = []kindOfRound{
	{scenario: Won, weight: 10, compose: (*builder).won},
	{scenario: Lost, weight: 10, compose: (*builder).lost},
	{scenario: Together, weight: 6, compose: (*builder).together, has: (*traits).hasPairs},
	{scenario: Mixed, weight: 4, compose: (*builder).mixed, has: (*traits).hasPairs},
	{scenario: Duplicates, weight: 8, compose: (*builder).duplicates},
	{scenario: Burst, weight: 6, compose: (*builder).burst},
	{scenario: RefundedBet, weight: 6, compose: (*builder).refunded},
	{scenario: RefundBurst, weight: 3, compose: (*builder).refundBurst},
	{scenario: RefundAfterWin, weight: 3, compose: (*builder).refundAfterWin},
	{scenario: EarlyRollback, weight: 4, compose: (*builder).earlyRollback},
	{scenario: EarlyRollbacks, weight: 3, compose: (*builder).earlyRollbacks},
	{scenario: WinFirst, weight: 4, compose: (*builder).winFirst},
	{scenario: RolledBackWin, weight: 3, compose: (*builder).rolledBackWin, has: (*traits).undoesWins},
	{scenario: Race, weight: 4, compose: (*builder).race},
	{scenario: TwoBets, weight: 3, compose: (*builder).twoBets},
	{scenario: LastMoney, weight: 3, compose: (*builder).lastMoney, firm: true},
	{scenario: OtherAmount, weight: 4, compose: (*builder).otherAmount},
	{scenario: NoFunds, weight: 4, compose: (*builder).noFunds, firm: true},
	{scenario: OddIDs, weight: 6, compose: (*builder).oddIDs},
	{scenario: CutOff, weight: 5, compose: (*builder).cutOff},
	{scenario: Forged, weight: 2, compose: (*builder).forged},
}

// Scenarios lists the names that a mix may hold.
func Scenarios() []string {
	names := make([]string, len(kindsOfRounds))
	for i := range kindsOfRounds {
		names[i] = string(kindsOfRounds[i].scenario)
	}
	return names
}

// mix returns the kinds of rounds that are played and their weights.
func mix(o *Options, t *traits) (kinds []kindOfRound, total int) {
	for _, kind := range kindsOfRounds {
		if weight, given := o.Mix[kind.scenario]; given {
			kind.weight = weight
		}
		if kind.weight == 0 || kind.has != nil && !kind.has(t) {
			continue
		}
		if kind.scenario == WinFirst && o.Policy.WinWithoutBet == provider.Refused {
			kind.firm = true
		}
		kinds = append(kinds, kind)
		total += kind.weight
	}
	return kinds, total
}

func known(s Scenario) bool { return slices.Contains(Scenarios(), string(s)) }
