package httpapi

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/deposit"
	"github.com/walletctl/walletctl/walletcore/strictjson"
)

const (
	maxBody       = 64 << 10
	keyHeader     = "Idempotency-Key"
	keyField      = "idempotency_key"
	defaultExpiry = time.Hour
	maxExpiry     = 30 * 24 * time.Hour
)

// create answers POST /deposits.
func (a *API) create(w http.ResponseWriter, r *http.Request, who caller) (int, any, error) {
	n, err := a.readNew(w, r, who)
	if err != nil {
		return 0, nil, err
	}
	d, created, err := a.o.Deposits.Create(r.Context(), n)
	if err != nil {
		return 0, nil, err
	}
	w.Header().Set("Location", "/deposits/"+d.ID)
	if created {
		return http.StatusCreated, newView(&d), nil
	}
	return http.StatusOK, newView(&d), nil
}

func (a *API) readNew(w http.ResponseWriter, r *http.Request, who caller) (deposit.New, error) {
	key, err := idempotencyKey(r.Header)
	if err != nil {
		return deposit.New{}, err
	}
	body, err := readBody(w, r)
	if err != nil {
		return deposit.New{}, err
	}
	object, err := strictjson.Parse(body)
	if err != nil {
		return deposit.New{}, err
	}
	err = object.Only("brand", "user", "currency", "amount", "gateway", "account", "expires_at", "expires_in")
	if err != nil {
		return deposit.New{}, err
	}
	n := deposit.New{Brand: who.brand, IdempotencyKey: key}
	for _, read := range []func(strictjson.Object, *deposit.New) error{
		checkBrand, readTexts, readAmount, a.readExpiry, a.readAccount,
	} {
		if err := read(object, &n); err != nil {
			return deposit.New{}, err
		}
	}
	return n, n.Validate()
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
func checkBrand(o strictjson.Object, n *deposit.New) error {
	brand, given, err := o.Text("brand")
	if err == nil && given && brand != n.Brand {
		return errForeignBrand
	}
	return err
}

func readTexts(o strictjson.Object, n *deposit.New) error {
	for _, text := range []struct {
		name string
		into *string
	}{
		{"user", &n.User}, {"currency", &n.Currency}, {"gateway", &n.Gateway}, {"account", &n.Account},
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
func readAmount(o strictjson.Object, n *deposit.New) error {
	text, given, err := o.Text("amount")
	if err != nil {
		return fault("amount", `must be a decimal string such as "12.50"`)
	}
	if !given {
		return fault("amount", "is missing")
	}
	n.Amount, err = walletcore.ParseMoney(text)
	var amount *walletcore.AmountError
	if errors.As(err, &amount) {
		return fault("amount", amount.Reason)
	}
	return err
}

// readExpiry takes a time, or seconds from now, or an hour. A time that has
// passed is left to Create: a resend may come late, and gets its deposit.
func (a *API) readExpiry(o strictjson.Object, n *deposit.New) error {
	now := a.o.Now().UTC().Truncate(time.Microsecond)
	n.ExpiresAt = now.Add(defaultExpiry)
	at, absolute, err := o.Text("expires_at")
	if err != nil {
		return err
	}
	seconds, relative, err := o.Int("expires_in")
	switch {
	case err != nil:
		return err
	case absolute && relative:
		return fault("expires_in", "cannot be given together with expires_at")
	case absolute:
		return readExpiresAt(at, now, n)
	case relative && (seconds < 1 || seconds > int64(maxExpiry.Seconds())):
		return fault("expires_in", "must be 1 to 2592000 seconds, which is 30 days")
	case relative:
		n.ExpiresAt = now.Add(time.Duration(seconds) * time.Second)
	}
	return nil
}

func readExpiresAt(text string, now time.Time, n *deposit.New) error {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return fault("expires_at", "is not an RFC 3339 time such as 2026-01-02T15:04:05Z")
	}
	n.ExpiresAt = at.UTC().Truncate(time.Microsecond)
	if n.ExpiresAt.After(now.Add(maxExpiry)) {
		return fault("expires_at", "is more than 30 days ahead")
	}
	if n.ExpiresAt.Year() < 2000 {
		return fault("expires_at", "is out of range")
	}
	return nil
}

// readAccount refuses a gateway where the brand has no account: its payments
// could never be confirmed here. The account may be left out where there is
// just one.
func (a *API) readAccount(_ strictjson.Object, n *deposit.New) error {
	names := a.o.Gateways.Names(n.Brand, n.Gateway)
	switch {
	case len(names) == 0:
		return fault("gateway", "is not one that the brand has an account at")
	case n.Account == "" && len(names) > 1:
		return fault("account", "must be given: the brand has several at this gateway")
	case n.Account == "":
		n.Account = names[0]
	case !slices.Contains(names, n.Account):
		return fault("account", "is not one that the brand has at this gateway")
	}
	return nil
}

func fault(field, reason string) error {
	return &walletcore.FieldError{Field: field, Reason: reason}
}
