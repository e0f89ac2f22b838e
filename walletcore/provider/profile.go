package provider

import (
	"maps"
	"regexp"
	"time"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/signature"
)

const (
	// MinSecret is the least length of a secret in bytes.
	MinSecret = 16
	// MaxNamespace is the longest namespace of ids in bytes.
	MaxNamespace = 64
)

// nameForm is what may stand as a provider in a URL, in ids and as a label of a
// metric.
var nameForm = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)

// ProfileOptions describe one provider at one brand. The zero value of an
// optional field means its dialect's default.
type ProfileOptions struct {
	Brand    string   // whose wallets it plays with
	Provider string   // the name in the URL: a to z, 0 to 9, "-", "_", "."
	Dialect  string   // one of DialectNames
	Secrets  [][]byte // all that are live, at least one, each of MinSecret bytes
	// Namespace stands before every id, with a colon: "acme:tx-1". Default: the
	// provider.
	Namespace string
	// Signature replaces how the header is written, where the dialect lets it.
	Signature *signature.Form
	// Units are the decimal places of the unit that a currency's amounts count,
	// for dialects with integer amounts. Default: the currency's minor unit.
	Units  map[string]int
	Policy Policy
	// Codes replace the dialect's, whole, by reason.
	Codes map[Reason]Code
	// Unkeyed takes bets and wins without an id for a while. Default: they are
	// refused.
	Unkeyed *Unkeyed
}

// Profile is one provider at one brand. It does not show its secrets however
// it is printed.
type Profile struct {
	Brand     string
	Provider  string
	Namespace string
	Dialect   string
	Policy    Policy   // every question answered
	Unkeyed   *Unkeyed // nil where each bet and win needs its id

	dialect   Dialect
	signature signature.Form
	secrets   [][]byte
	units     map[string]int
	codes     map[Reason]Code
}

// NewProfile checks the options. The error is a *ProfileError.
func NewProfile(o ProfileOptions) (*Profile, error) {
	dialect, ok := dialects[o.Dialect]
	if !ok {
		return nil, &ProfileError{Brand: o.Brand, Provider: o.Provider, Field: "dialect", Reason: "is unknown; there are " + list(DialectNames())}
	}
	contract := dialect.Contract()
	if field, reason := o.check(&contract); field != "" {
		return nil, &ProfileError{Brand: o.Brand, Provider: o.Provider, Field: field, Reason: reason}
	}
	p := &Profile{
		Brand: o.Brand, Provider: o.Provider, Namespace: o.Namespace, Dialect: o.Dialect,
		Policy: o.Policy.orDefault(contract.Policy), Unkeyed: o.Unkeyed,
		dialect: dialect, signature: contract.Signature, secrets: o.Secrets, units: o.Units, codes: maps.Clone(contract.Codes),
	}
	if p.Namespace == "" {
		p.Namespace = o.Provider
	}
	if o.Signature != nil {
		p.signature = *o.Signature
	}
	maps.Copy(p.codes, o.Codes)
	return p, nil
}

// String names the profile without its secrets.
func (p *Profile) String() string { return p.Brand + "/" + p.Provider }

// GoString is String, so that no verb prints the secrets.
func (p *Profile) GoString() string { return p.String() }

// code returns how the profile writes a reason.
func (p *Profile) code(reason Reason) Code {
	if code, ok := p.codes[reason]; ok {
		return code
	}
	return p.codes[OtherRefusal]
}

// request is the call as the wallet gets it. Each id stands behind the
// namespace, rounds too: they are as much the provider's own.
func (p *Profile) request(call *Call, at time.Time) Request {
	request := Request{
		Wallet: p.wallet(call), Actor: p.Provider, Policy: p.Policy, At: at,
		Actions: make([]Action, len(call.Actions)),
	}
	for i, action := range call.Actions {
		action.ID, action.Reference, action.RoundID = p.id(action.ID), p.id(action.Reference), p.id(action.RoundID)
		bets := make([]string, len(action.Bets))
		for j, bet := range action.Bets {
			bets[j] = p.id(bet)
		}
		action.Bets = bets
		request.Actions[i] = action
	}
	return request
}

func (p *Profile) wallet(call *Call) walletcore.WalletKey {
	return walletcore.WalletKey{Brand: p.Brand, User: call.User, Currency: call.Currency}
}

func (p *Profile) id(given string) string {
	if given == "" {
		return ""
	}
	return p.Namespace + ":" + given
}
