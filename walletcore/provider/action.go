package provider

import (
	"time"

	"github.com/walletctl/walletctl/walletcore"
)

// MaxActions is the greatest number of actions of one call.
const MaxActions = 100

// Kind says what an action is.
type Kind string

// The kinds of actions.
const (
	Bet Kind = "bet"
	Win Kind = "win"
	// Refund gives a bet back.
	Refund Kind = "refund"
	// WinReversal takes a win back.
	WinReversal Kind = "win_reversal"
	// Rollback undoes a bet or a win, and does not say which of the two.
	Rollback Kind = "rollback"
)

// undoes reports whether the kind gives or takes back another one.
func (k Kind) undoes() bool { return k != Bet && k != Win }

// Action is one change that a provider asks for. In a [Call] its ids are as
// they were given, in a [Request] they stand behind the profile's namespace.
type Action struct {
	Kind Kind
	// ID is, with the kind, the idempotency key: of a bet or a win its own, of
	// what undoes one the id of what is undone.
	ID string
	// Reference is the own id of an action that undoes another; optional.
	Reference string
	RoundID   string // optional
	// Amount in the main unit, not negative. What undoes something may leave it
	// zero; if given it must be the amount that is undone.
	Amount walletcore.Money
	Bets   []string // of a win: the bets that it resolves; empty: those of its round

	// missing says of a bet or win without an id which field lacks it. It is nil
	// where the id was given.
	missing error
}

// Given is the id by which the provider knows the action itself.
func (a *Action) Given() string {
	if a.Reference != "" {
		return a.Reference
	}
	return a.ID
}

// Call is what a verified body asks for.
type Call struct {
	User     string
	Currency string
	RoundID  string
	Token    string   // of a session, for contracts that want it back; not looked at
	Actions  []Action // none: the balance is asked for
}

// Request is a call as the wallet gets it.
type Request struct {
	Wallet  walletcore.WalletKey
	Actor   string // the provider
	Policy  Policy // RefundAfterWin, WinWithoutBet, WinRollback, LateBet and IDs concern the wallet
	At      time.Time
	Actions []Action
}
