package signature

import "errors"

// Why a signature is refused. A party that signs correctly never causes one.
var (
	ErrMissing   = errors.New("signature header is missing")
	ErrRepeated  = errors.New("signature header is repeated")
	ErrMalformed = errors.New("signature header is malformed")
	ErrMismatch  = errors.New("signature does not match the body")
	ErrStale     = errors.New("signature is outside the time tolerance")
)
