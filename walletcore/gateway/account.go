package gateway

import (
	"bytes"
	"net/http"
	"regexp"
	"time"

	"github.com/walletctl/walletctl/walletcore"
)

const (
	// MinSecret is the least length of a webhook secret in bytes.
	MinSecret = 16
	// MaxTolerance is the greatest time tolerance of a signature.
	MaxTolerance = time.Hour
)

// nameForm is what may stand as a gateway or account in a URL and as a label
// of a metric.
var nameForm = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)

// AccountOptions describe one account at one gateway.
type AccountOptions struct {
	Gateway   string        // the name in the URL: a to z, 0 to 9, "-", "_", "."
	Name      string        // the account in the URL, of the same form
	Brand     string        // every deposit that its webhooks name must be this brand's
	Dialect   string        // one of DialectNames
	Secrets   [][]byte      // all that are live, at least one, each of MinSecret bytes
	Tolerance time.Duration // for dialects that sign a time; 0 means the dialect's default
}

// Account is one account at one gateway, and the brand it belongs to. It does
// not show its secrets however it is printed.
type Account struct {
	Gateway string
	Name    string
	Brand   string
	Dialect string

	dialect Dialect
	secrets [][]byte
}

// NewAccount checks the options. The error is an *AccountError.
func NewAccount(o AccountOptions) (*Account, error) {
	if err := o.check(); err != nil {
		return nil, &AccountError{Gateway: o.Gateway, Account: o.Name, Field: err.Field, Reason: err.Reason}
	}
	dialect, _ := DialectByName(o.Dialect)
	if o.Tolerance != 0 {
		dialect = dialect.(Tolerant).WithTolerance(o.Tolerance)
	}
	return &Account{
		Gateway: o.Gateway, Name: o.Name, Brand: o.Brand, Dialect: o.Dialect,
		dialect: dialect, secrets: o.Secrets,
	}, nil
}

func (o *AccountOptions) check() *walletcore.FieldError {
	for _, name := range [...]struct{ field, value string }{{"gateway", o.Gateway}, {"account", o.Name}} {
		if !nameForm.MatchString(name.value) {
			return &walletcore.FieldError{Field: name.field, Reason: "must be 1 to 64 of a-z, 0-9, '-', '_', '.'"}
		}
	}
	if err := walletcore.CheckID("brand", o.Brand, walletcore.MaxName); err != nil {
		return &walletcore.FieldError{Field: "brand", Reason: "must be 1 to 64 bytes without control characters"}
	}
	dialect, ok := DialectByName(o.Dialect)
	if !ok {
		return &walletcore.FieldError{Field: "dialect", Reason: "is unknown; there are " + listOf(DialectNames())}
	}
	return o.checkSignature(dialect)
}

func (o *AccountOptions) checkSignature(dialect Dialect) *walletcore.FieldError {
	if len(o.Secrets) == 0 {
		return &walletcore.FieldError{Field: "secrets", Reason: "must name at least one secret"}
	}
	for _, secret := range o.Secrets {
		if len(bytes.TrimSpace(secret)) < MinSecret {
			return &walletcore.FieldError{Field: "secrets", Reason: "hold one that is empty or shorter than 16 bytes"}
		}
	}
	if _, ok := dialect.(Tolerant); !ok && o.Tolerance != 0 {
		return &walletcore.FieldError{Field: "tolerance", Reason: "does not apply: " + o.Dialect + " signs no time"}
	}
	if o.Tolerance < 0 || o.Tolerance > MaxTolerance || o.Tolerance%time.Second != 0 {
		return &walletcore.FieldError{Field: "tolerance", Reason: "must be whole seconds, at most 1h"}
	}
	return nil
}

// String names the account without its secrets.
func (a *Account) String() string { return a.Gateway + "/" + a.Name }

// GoString is String, so that no verb prints the secrets.
func (a *Account) GoString() string { return a.String() }

func (a *Account) verify(h http.Header, body []byte, now time.Time) error {
	return a.dialect.Verify(h, body, a.secrets, now)
}

// sharesSecret reports whether a body signed for one account would verify at
// the other.
func (a *Account) sharesSecret(b *Account) bool {
	for _, x := range a.secrets {
		for _, y := range b.secrets {
			if bytes.Equal(x, y) {
				return true
			}
		}
	}
	return false
}
