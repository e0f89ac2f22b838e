package gateway

import "github.com/walletctl/walletctl/walletcore/signature"

// Why a signature is refused. All of them are answered 401; a gateway that
// signs correctly never causes one.
var (
	ErrSignatureMissing   = signature.ErrMissing
	ErrSignatureRepeated  = signature.ErrRepeated
	ErrSignatureMalformed = signature.ErrMalformed
	ErrSignatureMismatch  = signature.ErrMismatch
	ErrSignatureStale     = signature.ErrStale
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
