package replay

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/walletctl/walletctl/walletcore"
)

// Ref names a case: casino and gaming each keep their own.
type Ref struct {
	Schema string // casino or gaming
	Number int64
}

// String is the ref as people write it: casino-17.
func (r Ref) String() string { return fmt.Sprintf("%s-%d", r.Schema, r.Number) }

// MarshalText implements encoding.TextMarshaler.
func (r Ref) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// ParseRef reads casino-17 or gaming-3. The error is a *walletcore.FieldError.
func ParseRef(text string) (Ref, error) {
	schema, digits, _ := strings.Cut(text, "-")
	number, err := strconv.ParseInt(digits, 10, 64)
	if (schema != "casino" && schema != "gaming") || err != nil || number < 1 {
		return Ref{}, &walletcore.FieldError{Field: "case", Reason: "is not written like casino-17 or gaming-3"}
	}
	return Ref{schema, number}, nil
}
