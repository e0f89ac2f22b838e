package provider

import (
	"maps"
	"slices"

	"github.com/walletctl/walletctl/walletcore/signature"
)

// Dialect is the contract of one kind of provider. It holds no state of a
// request and is safe for concurrent use.
type Dialect interface {
	// Contract returns what a profile starts from.
	Contract() Contract
	// Read reads a verified body. The operation is what stands in the URL behind
	// the provider. The error is a *walletcore.FieldError, or
	// ErrUnknownOperation.
	Read(p *Profile, operation string, body []byte) (*Call, error)
	// Write answers a success.
	Write(p *Profile, call *Call, result *Result) any
	// Refuse answers a problem. The status is its code's.
	Refuse(p *Profile, problem *Problem) any
}

// Contract is what all providers of a dialect have in common.
type Contract struct {
	Signature signature.Form
	// SignatureFixed says that a profile may not write the header otherwise.
	SignatureFixed bool
	// Subunits says that amounts are integers, in a unit that the profile may
	// set by currency.
	Subunits bool
	// NumericCodes says that the codes in bodies are integers.
	NumericCodes bool
	Policy       Policy
	// Codes has at least OtherRefusal, and every reason that is none.
	Codes map[Reason]Code
}

// dialects is the registry: a new dialect is a file of its own and a line here.
var dialects = map[string]Dialect{
	"process":   process{},
	"softswiss": softswiss{},
	"standard":  standard{},
	"subunits":  subunits{},
}

// DialectNames lists the dialects in alphabetical order.
func DialectNames() []string { return slices.Sorted(maps.Keys(dialects)) }
