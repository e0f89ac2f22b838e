package provider

import (
	"errors"

	"github.com/walletctl/walletctl/walletcore"
)

// Reason names why a call is not answered with success. Those of a refusal by
// the wallet are its codes: walletcore.RefusedNoFunds and the others.
type Reason string

// The reasons.
const (
	BadSignature     Reason = "bad_signature"
	BadRequest       Reason = "bad_request"
	TooLarge         Reason = "too_large"
	UnknownOperation Reason = "unknown_operation"
	// ConflictingID: the id exists with other content.
	ConflictingID Reason = "conflict"
	// UnknownTransaction: what was to be undone is not there.
	UnknownTransaction Reason = "unknown_transaction"
	// RolledBack: what came had been rolled back before.
	RolledBack = Reason(walletcore.RefusedRolledBack)
	// NoFunds: the balance does not cover it.
	NoFunds = Reason(walletcore.RefusedNoFunds)
	// Frozen: the wallet or its brand is frozen.
	Frozen = Reason(walletcore.RefusedFrozen)
	// Settled: the bet has its win.
	Settled = Reason(walletcore.RefusedSettled)
	// NoBet: the win resolves no bet.
	NoBet = Reason(walletcore.RefusedNoBet)
	// OtherRefusal stands for every refusal that a dialect has no code for.
	OtherRefusal Reason = "refused"
	// Unavailable: nothing was decided, or it is unknown what was. The provider
	// has to send again.
	Unavailable Reason = "unavailable"
)

var reasons = []Reason{
	BadSignature, BadRequest, TooLarge, UnknownOperation, ConflictingID, UnknownTransaction,
	RolledBack, NoFunds, Frozen, Settled, NoBet, OtherRefusal, Unavailable,
}

// ReasonNames lists the reasons as they are named in providers.yaml.
func ReasonNames() []string {
	names := make([]string, len(reasons))
	for i, reason := range reasons {
		names[i] = string(reason)
	}
	return names
}

// Code is how a contract writes a reason.
type Code struct {
	Status int    // of HTTP
	Code   string // in the body
}

// Problem is why a call is not answered with success.
type Problem struct {
	Reason  Reason
	Code    Code
	Field   string // of the request, where one is at fault
	Message string // for people; it quotes nothing of another request
	// Balance is what can be spent now; nil where the wallet was not asked.
	Balance  *walletcore.Money
	Currency string // of Balance
}

// problemOf says what an outcome without a receipt comes to. It tells a
// conflict's field and nothing of what is stored: that may be another
// player's.
func problemOf(err error) *Problem {
	var conflict *walletcore.ConflictError
	var refused *walletcore.RefusedError
	var field *walletcore.FieldError
	switch {
	case errors.As(err, &conflict):
		return &Problem{Reason: ConflictingID, Field: conflict.Field, Message: "this id exists with another " + conflict.Field}
	case errors.As(err, &refused):
		return &Problem{Reason: Reason(refused.Code), Message: refusals[refused.Code]}
	case errors.As(err, &field):
		return &Problem{Reason: BadRequest, Field: field.Field, Message: field.Error()}
	}
	return &Problem{Reason: Unavailable, Message: "it could not be done now, or its outcome is unknown; send the same call again"}
}

var refusals = map[walletcore.RefusalCode]string{
	walletcore.RefusedNoFunds:    "the balance does not cover it",
	walletcore.RefusedFrozen:     "the player may not bet",
	walletcore.RefusedDebt:       "the player may not bet: the balance is below zero",
	walletcore.RefusedOverflow:   "the balance would be out of range",
	walletcore.RefusedNoBet:      "there is no bet that this win resolves",
	walletcore.RefusedSettled:    "the bet has its win",
	walletcore.RefusedRolledBack: "it was rolled back before",
}
