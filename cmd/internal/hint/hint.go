// Package hint lets an error say what its reader can do about it.
//
// An error that knows carries a method Hint; [With] gives one to an error that
// does not. The hint is no part of the error's text, so that it is shown once,
// at the edge, however often the error was wrapped on its way.
package hint

import "errors"

// Hinter is an error that knows what to try.
type Hinter interface {
	error
	Hint() string
}

// With returns err with a hint: what to try, in the imperative, without the
// word "Try". It returns nil for nil.
func With(err error, try string) error {
	if err == nil {
		return nil
	}
	return &hinted{error: err, try: try}
}

// Of returns the outermost hint in err's tree, or "".
func Of(err error) string {
	var h Hinter
	if errors.As(err, &h) {
		return h.Hint()
	}
	return ""
}

type hinted struct {
	error
	try string
}

func (h *hinted) Hint() string  { return h.try }
func (h *hinted) Unwrap() error { return h.error }
