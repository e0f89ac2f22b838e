package gateway

import (
	"net/http"
	"slices"
	"time"

	"github.com/walletctl/walletctl/walletcore"
)

// Dialect is how one kind of gateway signs and writes its webhooks. It holds
// no state of a request and is safe for concurrent use.
type Dialect interface {
	// Verify checks the signature in h over the raw body against each of the
	// live secrets. The error is one of the ErrSignature values.
	Verify(h http.Header, body []byte, secrets [][]byte, now time.Time) error
	// Parse reads a verified body. The error is a *PayloadError.
	Parse(body []byte, received Received) ([]walletcore.Notification, error)
}

// Tolerant is a dialect whose signatures carry a time.
type Tolerant interface {
	Dialect
	// WithTolerance returns the dialect with another greatest distance between
	// the time of a signature and now.
	WithTolerance(tolerance time.Duration) Dialect
}

// dialects is the registry: a new dialect is a file of its own and a line here.
var dialects = map[string]Dialect{
	"generic": generic{},
	"stripe":  stripe{tolerance: stripeTolerance},
}

// DialectByName returns a dialect with its defaults.
func DialectByName(name string) (Dialect, bool) {
	dialect, ok := dialects[name]
	return dialect, ok
}

// DialectNames lists the dialects in alphabetical order.
func DialectNames() []string {
	names := make([]string, 0, len(dialects))
	for name := range dialects {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
