package gateway

import "errors"

// Why a signature is refused. All of them are answered 401; a gateway that
// signs correctly never causes one.
var (
	ErrSignatureMissing   = errors.New("signature header is missing")
	ErrSignatureRepeated  = errors.New("signature header is repeated")
	ErrSignatureMalformed = errors.New("signature header is malformed")
	ErrSignatureMismatch  = errors.New("signature does not match the body")
	ErrSignatureStale     = errors.New("signature is outside the time tolerance")
)

// PayloadError says why a webhook, correctly signed, cannot be read. Sending
// the same bytes again cannot help: a person has to look.
type PayloadError struct {
	Field  string // its path in the body, such as data.object.amount; "body" for the whole
	Reason string // without values of the body
}

func (e *PayloadError) Error() string { return "read payload: " + e.Field + " " + e.Reason }

// AccountError says why an account cannot be used, before any request is
// served. It never holds a secret.
type AccountError struct {
	Gateway string
	Account string
	Field   string
	Reason  string
}

func (e *AccountError) Error() string {
	return "account " + e.Gateway + "/" + e.Account + ": " + e.Field + " " + e.Reason
}
