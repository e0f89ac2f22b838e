package rpc

import "fmt"

// RetryError is gaming's answer that it does not know the order as posted: its
// database was away or busy, perhaps in the middle of the commit. The same call
// later posts it or finds it.
type RetryError struct{ Reason string }

func (e *RetryError) Error() string { return "gaming asks to retry: " + e.Reason }

// NotDeliveredError says that a request reached no queue. It was certainly not
// posted.
type NotDeliveredError struct{ Err error }

func (e *NotDeliveredError) Error() string {
	return fmt.Sprintf("request was not delivered to gaming: %v", e.Err)
}
func (e *NotDeliveredError) Unwrap() error { return e.Err }

// UnknownOutcomeError says that no reply came: the request may have been
// posted, or may still be. The same call again finds out.
type UnknownOutcomeError struct{ Err error }

func (e *UnknownOutcomeError) Error() string {
	return fmt.Sprintf("outcome at gaming is unknown: %v", e.Err)
}
func (e *UnknownOutcomeError) Unwrap() error { return e.Err }
