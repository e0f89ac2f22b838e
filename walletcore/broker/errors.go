package broker

import (
	"errors"
	"fmt"
)

// ErrClosed: the Conn was closed by this program.
var ErrClosed = errors.New("broker connection is closed")

// ErrNacked: the broker refused to take a message. No queue holds it.
var ErrNacked = errors.New("message was refused by the broker")

// ErrDrain: handlers were still at work when the time to stop was over. What
// they worked on comes again.
var ErrDrain = errors.New("handlers did not finish in time")

// NotSentError says that a message never left this program.
type NotSentError struct{ Err error }

func (e *NotSentError) Error() string { return fmt.Sprintf("message was not sent: %v", e.Err) }
func (e *NotSentError) Unwrap() error { return e.Err }

// ReturnedError says that no queue took a message.
type ReturnedError struct {
	Exchange string
	Key      string
	Code     int    // of the broker: 312 is "no route"
	Reason   string // of the broker
}

func (e *ReturnedError) Error() string {
	return fmt.Sprintf("message to exchange %q with key %q was returned: %s (%d)", e.Exchange, e.Key, e.Reason, e.Code)
}

// UnconfirmedError says that a message left, and whether the broker has it is
// unknown.
type UnconfirmedError struct{ Err error }

func (e *UnconfirmedError) Error() string { return fmt.Sprintf("message was not confirmed: %v", e.Err) }
func (e *UnconfirmedError) Unwrap() error { return e.Err }

// NoReplyError says that a request reached its queue and no reply came:
// whether it was carried out is unknown.
type NoReplyError struct{ Err error }

func (e *NoReplyError) Error() string { return fmt.Sprintf("no reply came: %v", e.Err) }
func (e *NoReplyError) Unwrap() error { return e.Err }

// Unprocessable is returned by a handler for a message that can never be
// handled. It goes to the dead-letter exchange with the reason.
type Unprocessable struct{ Reason string }

func (e *Unprocessable) Error() string { return "message cannot be handled: " + e.Reason }

// Unavailable is returned by a handler while something that it needs is out of
// order. Consuming pauses until the probe succeeds.
type Unavailable struct {
	Err error
	// Settled: the handler answered the message, so it is acknowledged. Else
	// it is kept and handled again after the pause.
	Settled bool
}

func (e *Unavailable) Error() string { return fmt.Sprintf("cannot handle messages now: %v", e.Err) }
func (e *Unavailable) Unwrap() error { return e.Err }
