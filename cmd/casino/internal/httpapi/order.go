package httpapi

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/strictjson"
)

const (
	maxBody   = 64 << 10
	keyHeader = "Idempotency-Key"
	keyField  = "idempotency_key"
)

// order is what a deposit and a withdrawal have in common.
type order struct {
	brand    string // of the token
	key      string // the caller's
	user     string
	currency string
	amount   walletcore.Money
	gateway  string
	account  string
}

// readOrder reads a request for a payment of the token's brand, and returns its
// body for the fields that are extra.
func (a *API) readOrder(w http.ResponseWriter, r *http.Request, who caller, extra ...string) (order, strictjson.Object, error) {
	key, err := idempotencyKey(r.Header)
	if err != nil {
		return order{}, strictjson.Object{}, err
	}
	text, err := readBody(w, r)
	if err != nil {
		return order{}, strictjson.Object{}, err
	}
	body, err := strictjson.Parse(text)
	if err != nil {
		return order{}, body, err
	}
	if err := body.Only(append(extra, "brand", "user", "currency", "amount", "gateway", "account")...); err != nil {
		return order{}, body, err
	}
	n := order{brand: who.brand, key: key}
	for _, read := range []func(strictjson.Object, *order) error{checkBrand, readTexts, readAmount, a.readAccount} {
		if err := read(body, &n); err != nil {
			return order{}, body, err
		}
	}
	return n, body, nil
}

func idempotencyKey(h http.Header) (string, error) {
	values := h.Values(keyHeader)
	if len(values) != 1 {
		return "", &walletcore.FieldError{Field: keyField, Reason: "must be given once"}
	}
	return values[0], walletcore.CheckID(keyField, values[0], walletcore.MaxGivenID)
}

func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if kind := r.Header.Get("Content-Type"); kind != "" {
		if media, _, err := mime.ParseMediaType(kind); err != nil || media != "application/json" {
			return nil, errMediaType
		}
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, errTooLarge
	case err != nil:
		return nil, errUnreadable
	}
	return body, nil
}

// checkBrand lets a body name the brand of the token, and no other.
func checkBrand(o strictjson.Object, n *order) error {
	brand, given, err := o.Text("brand")
	if err == nil && given && brand != n.brand {
		return errForeignBrand
	}
	return err
}

func readTexts(o strictjson.Object, n *order) error {
	for _, text := range []struct {
		name string
		into *string
	}{
		{"user", &n.user}, {"currency", &n.currency}, {"gateway", &n.gateway}, {"account", &n.account},
	} {
		value, given, err := o.Text(text.name)
		if err != nil {
			return err
		}
		if strings.ContainsRune(value, '\uFFFD') {
			return fault(text.name, "holds a broken character")
		}
		if !given && text.name != "account" {
			return fault(text.name, "is missing")
		}
		*text.into = value
	}
	return nil
}

// readAmount takes a decimal string in the main unit. A JSON number is
// refused: some producer may have carried it through a float.
func readAmount(o strictjson.Object, n *order) error {
	text, given, err := o.Text("amount")
	if err != nil {
		return fault("amount", `must be a decimal string such as "12.50"`)
	}
	if !given {
		return fault("amount", "is missing")
	}
	n.amount, err = walletcore.ParseMoney(text)
	var amount *walletcore.AmountError
	if errors.As(err, &amount) {
		return fault("amount", amount.Reason)
	}
	return err
}

// readAccount refuses a gateway where the brand has no account: its payments
// could never be confirmed here. The account may be left out where there is
// just one.
func (a *API) readAccount(_ strictjson.Object, n *order) error {
	names := a.o.Gateways.Names(n.brand, n.gateway)
	switch {
	case len(names) == 0:
		return fault("gateway", "is not one that the brand has an account at")
	case n.account == "" && len(names) > 1:
		return fault("account", "must be given: the brand has several at this gateway")
	case n.account == "":
		n.account = names[0]
	case !slices.Contains(names, n.account):
		return fault("account", "is not one that the brand has at this gateway")
	}
	return nil
}

func fault(field, reason string) error {
	return &walletcore.FieldError{Field: field, Reason: reason}
}
