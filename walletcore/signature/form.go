package signature

import (
	"fmt"
	"net/http"
	"strings"
)

// Encoding is how a header writes the 32 bytes.
type Encoding string

// The encodings.
const (
	Hex    Encoding = "hex" // of any case
	Base64 Encoding = "base64"
)

const (
	maxFormHeader = 64
	maxFormPrefix = 32
	maxFormValue  = 128
)

// Form is how one party writes the signature of a body in a header.
type Form struct {
	Header   string
	Encoding Encoding
	// Prefix stands before the digest, such as "sha256="; its case does not
	// matter.
	Prefix string
	// Bare says that the digest may also stand without the prefix.
	Bare bool
}

// Validate refuses a form that could verify nothing.
func (f *Form) Validate() error {
	switch {
	case f.Header == "" || len(f.Header) > maxFormHeader || strings.ContainsFunc(f.Header, notToken):
		return fmt.Errorf("header must be 1 to %d letters, digits and '-'", maxFormHeader)
	case len(f.Prefix) > maxFormPrefix:
		return fmt.Errorf("prefix is longer than %d bytes", maxFormPrefix)
	case f.Encoding != Hex && f.Encoding != Base64:
		return fmt.Errorf("encoding must be %s or %s", Hex, Base64)
	}
	return nil
}

func notToken(r rune) bool {
	return r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
}

// Verify checks the body as received against each live secret. The error is
// one of this package's.
func (f *Form) Verify(h http.Header, body []byte, secrets [][]byte) error {
	value, err := Header(h, f.Header, maxFormValue)
	if err != nil {
		return err
	}
	digest, ok := f.decode(value)
	if !ok {
		return ErrMalformed
	}
	if !Matches([][]byte{digest}, secrets, body) {
		return ErrMismatch
	}
	return nil
}

func (f *Form) decode(value string) ([]byte, bool) {
	n := len(f.Prefix)
	switch {
	case len(value) >= n && strings.EqualFold(value[:n], f.Prefix):
		value = value[n:]
	case !f.Bare:
		return nil, false
	}
	if f.Encoding == Base64 {
		return DecodeBase64(value)
	}
	return DecodeHex(value)
}
