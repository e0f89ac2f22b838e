package simulator

import "fmt"

// OptionError says which option cannot be used, before anything is sent. It
// never holds the secret.
type OptionError struct {
	Field  string // as the command's flag
	Reason string
}

func (e *OptionError) Error() string { return e.Field + " " + e.Reason }

// StartError says that the first question for a balance was not answered, or
// not with success: the service is not there, or does not know this provider.
type StartError struct {
	Status int    // of HTTP; 0: there was no answer
	Code   string // in the dialect's terms, where the answer could be read
	Err    error  // why there was no answer, or why it could not be read
}

func (e *StartError) Error() string {
	text := "ask for the first balance: "
	switch {
	case e.Status == 0:
		return fmt.Sprintf("%sno answer: %v", text, e.Err)
	case e.Err != nil:
		return fmt.Sprintf("%sanswered %d: %v", text, e.Status, e.Err)
	}
	return fmt.Sprintf("%srefused with %d, code %q", text, e.Status, e.Code)
}

func (e *StartError) Unwrap() error { return e.Err }
