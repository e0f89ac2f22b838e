package job

import (
	"context"
	"errors"

	"github.com/walletctl/walletctl/walletcore"
)

// ErrorClass sorts the failures of calls to gaming for people and for alerts.
type ErrorClass string

// The classes.
const (
	ClassConflict ErrorClass = "conflict"       // gaming has the id with other content; final
	ClassInvalid  ErrorClass = "invalid"        // gaming can never take it; final
	ClassRefused  ErrorClass = "refused"        // a rule of the wallet, today
	ClassNotLive  ErrorClass = "brand_not_live" // the brand takes no movements yet
	ClassTimeout  ErrorClass = "timeout"        // no answer in time: the outcome is unknown
	ClassPanic    ErrorClass = "panic"          // a bug
	ClassUnknown  ErrorClass = "unknown"        // anything else; it may have been posted
)

// Classify sorts an error of a call.
func Classify(err error) ErrorClass {
	var (
		conflict  *walletcore.ConflictError
		field     *walletcore.FieldError
		amount    *walletcore.AmountError
		refused   *walletcore.RefusedError
		notLive   *walletcore.NotLiveError
		panicked  *PanicError
		permanent interface{ Permanent() bool }
	)
	switch {
	case errors.As(err, &conflict):
		return ClassConflict
	case errors.As(err, &field), errors.As(err, &amount), errors.As(err, &permanent) && permanent.Permanent():
		return ClassInvalid
	case errors.As(err, &refused):
		return ClassRefused
	case errors.As(err, &notLive):
		return ClassNotLive
	case errors.As(err, &panicked):
		return ClassPanic
	case errors.Is(err, context.DeadlineExceeded):
		return ClassTimeout
	}
	return ClassUnknown
}

// Final reports whether the answer can never change.
func (c ErrorClass) Final() bool { return c == ClassConflict || c == ClassInvalid }
