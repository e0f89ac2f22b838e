package provider

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/walletctl/walletctl/walletcore"
)

// check returns the first field that is at fault, as it is named in
// providers.yaml.
func (o *ProfileOptions) check(contract *Contract) (field, reason string) {
	switch {
	case walletcore.CheckID("brand", o.Brand, walletcore.MaxName) != nil:
		return "brand", "must be 1 to 64 bytes without control characters"
	case !nameForm.MatchString(o.Provider):
		return "provider", "must be 1 to 64 of a-z, 0-9, '-', '_', '.'"
	case o.Namespace != "" && walletcore.CheckID("namespace", o.Namespace, MaxNamespace) != nil:
		return "namespace", "must be at most 64 bytes without control characters"
	case strings.Contains(o.Namespace, ":"):
		return "namespace", "must not hold a colon, which ends it"
	}
	for _, check := range []func(*Contract) (string, string){o.checkSecrets, o.checkSignature, o.checkUnits, o.checkCodes, o.checkUnkeyed} {
		if field, reason := check(contract); field != "" {
			return field, reason
		}
	}
	answered := o.Policy.orDefault(contract.Policy)
	return answered.check()
}

func (o *ProfileOptions) checkSecrets(*Contract) (field, reason string) {
	if len(o.Secrets) == 0 {
		return "secrets", "must name at least one secret"
	}
	for _, secret := range o.Secrets {
		if len(bytes.TrimSpace(secret)) < MinSecret {
			return "secrets", "hold one that is empty or shorter than 16 bytes"
		}
	}
	return "", ""
}

func (o *ProfileOptions) checkSignature(contract *Contract) (field, reason string) {
	if o.Signature == nil {
		return "", ""
	}
	if contract.SignatureFixed {
		return "signature", "does not apply: the dialect fixes it"
	}
	if err := o.Signature.Validate(); err != nil {
		return "signature", err.Error()
	}
	return "", ""
}

func (o *ProfileOptions) checkUnits(contract *Contract) (field, reason string) {
	if len(o.Units) > 0 && !contract.Subunits {
		return "units", "do not apply: the dialect writes amounts in the main unit"
	}
	for currency, places := range o.Units {
		if walletcore.CheckCurrency(currency) != nil {
			return "units", "hold a currency that is not an upper-case code such as EUR"
		}
		if places < 0 || places > walletcore.Places {
			return "units", "hold one with other than 0 to 8 decimal places"
		}
	}
	return "", ""
}

func (o *ProfileOptions) checkCodes(contract *Contract) (field, reason string) {
	merged := maps.Clone(contract.Codes)
	maps.Copy(merged, o.Codes)
	for reason, code := range merged {
		switch {
		case !slices.Contains(reasons, reason):
			return "codes", "hold an unknown reason; there are " + list(ReasonNames())
		case code.Status < 200 || code.Status > 599:
			return "codes", "hold an HTTP status outside 200 to 599"
		case reason == Unavailable && code.Status < 500:
			return "codes", "answer unavailable below 500: the provider would not send again"
		case contract.NumericCodes && !isNumber(code.Code):
			return "codes", "hold one that is no number, which the dialect needs"
		}
	}
	return "", ""
}

func isNumber(code string) bool {
	n, err := strconv.Atoi(code)
	return err == nil && strconv.Itoa(n) == code
}

func list(names []string) string { return strings.Join(names, ", ") }
