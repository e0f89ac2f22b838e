package rpc

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/walletctl/walletctl/walletcore"
)

// outcome says which member of a reply is set.
type outcome string

const (
	outcomePosted   outcome = "posted"
	outcomeConflict outcome = "conflict"
	outcomeRefused  outcome = "refused"
	outcomeInvalid  outcome = "invalid"
	outcomeRetry    outcome = "retry"
)

// reply is the body of an answer.
type reply struct {
	SchemaVersion int       `json:"schema_version"`
	Outcome       outcome   `json:"outcome"`
	Posted        *posted   `json:"posted,omitempty"`
	Conflict      *conflict `json:"conflict,omitempty"`
	Refused       *refused  `json:"refused,omitempty"`
	Invalid       *invalid  `json:"invalid,omitempty"`
	Retry         *retry    `json:"retry,omitempty"`
}

type posted struct {
	walletcore.Posted
	State walletcore.WithdrawalState `json:"state,omitempty"` // of a withdrawal
}

type conflict struct {
	Kind       walletcore.Kind `json:"kind"`
	ExternalID string          `json:"external_id"`
	Field      string          `json:"field"`
	Stored     string          `json:"stored"`
	Given      string          `json:"given"`
}

type refused struct {
	Code   walletcore.RefusalCode `json:"code"`
	Detail string                 `json:"detail"`
}

type invalid struct {
	Field  string `json:"field"`
	Reason string `json:"reason"`
}

type retry struct {
	Reason string      `json:"reason"`
	Brand  *brandState `json:"brand,omitempty"` // where that is why
}

// brandState is a brand that is not live.
type brandState struct {
	ID    string                `json:"id"`
	State walletcore.BrandState `json:"state"`
}

func postedReply(w walletcore.Withdrawn) *reply {
	return &reply{SchemaVersion: schemaVersion, Outcome: outcomePosted, Posted: &posted{w.Posted, w.State}}
}

func retryReply(reason string) *reply {
	return &reply{SchemaVersion: schemaVersion, Outcome: outcomeRetry, Retry: &retry{Reason: reason}}
}

func notLiveReply(e *walletcore.NotLiveError) *reply {
	r := retryReply(e.Error())
	r.Retry.Brand = &brandState{e.Brand, e.State}
	return r
}

func invalidReply(field, reason string) *reply {
	return &reply{SchemaVersion: schemaVersion, Outcome: outcomeInvalid, Invalid: &invalid{Field: field, Reason: reason}}
}

// errorReply returns the reply to an error of the ledger that is an answer, nil
// for one that is not.
func errorReply(err error) *reply {
	var (
		conflicting *walletcore.ConflictError
		refusing    *walletcore.RefusedError
		field       *walletcore.FieldError
		amount      *walletcore.AmountError
		notLive     *walletcore.NotLiveError
		retryable   interface{ Retryable() bool }
	)
	switch {
	case errors.As(err, &conflicting):
		return &reply{SchemaVersion: schemaVersion, Outcome: outcomeConflict, Conflict: (*conflict)(conflicting)}
	case errors.As(err, &refusing):
		return &reply{SchemaVersion: schemaVersion, Outcome: outcomeRefused, Refused: (*refused)(refusing)}
	case errors.As(err, &field):
		return invalidReply(field.Field, field.Reason)
	case errors.As(err, &amount):
		return invalidReply("amount", amount.Error())
	case errors.As(err, &notLive):
		return notLiveReply(notLive)
	case isUnavailable(err):
		return nil
	case errors.As(err, &retryable) && retryable.Retryable():
		return retryReply("the wallet is busy")
	}
	return nil
}

// readReply turns the body of an answer back into what the ledger returned.
func readReply(body []byte) (walletcore.Withdrawn, error) {
	var r reply
	if err := json.Unmarshal(body, &r); err != nil {
		return walletcore.Withdrawn{}, unreadable(fmt.Errorf("reply cannot be read: %w", err))
	}
	if r.SchemaVersion != schemaVersion {
		return walletcore.Withdrawn{}, unreadable(fmt.Errorf("reply has schema_version %d, known is %d", r.SchemaVersion, schemaVersion))
	}
	if r.Outcome == outcomePosted && r.Posted != nil {
		return walletcore.Withdrawn(*r.Posted), nil
	}
	return walletcore.Withdrawn{}, r.err()
}

// err is the error that gaming answered with.
func (r *reply) err() error {
	switch {
	case r.Outcome == outcomeConflict && r.Conflict != nil:
		return (*walletcore.ConflictError)(r.Conflict)
	case r.Outcome == outcomeRefused && r.Refused != nil:
		return (*walletcore.RefusedError)(r.Refused)
	case r.Outcome == outcomeInvalid && r.Invalid != nil:
		return &walletcore.FieldError{Field: r.Invalid.Field, Reason: r.Invalid.Reason}
	case r.Outcome == outcomeRetry && r.Retry != nil:
		return r.Retry.err()
	}
	return unreadable(fmt.Errorf("reply has the unknown outcome %.64q", string(r.Outcome)))
}

// err is a *RetryError, or, where the brand is why, what the ledger returned.
func (r *retry) err() error {
	if r.Brand != nil {
		return &walletcore.NotLiveError{Brand: r.Brand.ID, State: r.Brand.State}
	}
	return &RetryError{Reason: r.Reason}
}

// unreadable: gaming did something and we do not know what.
func unreadable(err error) error { return &UnknownOutcomeError{Err: err} }
