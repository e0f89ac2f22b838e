package httpapi

import (
	"net/http"
	"time"

	"github.com/walletctl/walletctl/walletcore/deposit"
	"github.com/walletctl/walletctl/walletcore/strictjson"
)

const (
	defaultExpiry = time.Hour
	maxExpiry     = 30 * 24 * time.Hour
)

// createDeposit answers POST /deposits.
func (a *API) createDeposit(w http.ResponseWriter, r *http.Request, who caller) (int, any, error) {
	n, err := a.readDeposit(w, r, who)
	if err != nil {
		return 0, nil, err
	}
	d, created, err := a.o.Deposits.Create(r.Context(), n)
	if err != nil {
		return 0, nil, err
	}
	w.Header().Set("Location", "/deposits/"+d.ID)
	if created {
		return http.StatusCreated, depositView(&d), nil
	}
	return http.StatusOK, depositView(&d), nil
}

func (a *API) readDeposit(w http.ResponseWriter, r *http.Request, who caller) (deposit.New, error) {
	o, body, err := a.readOrder(w, r, who, "expires_at", "expires_in")
	if err != nil {
		return deposit.New{}, err
	}
	n := deposit.New{
		Brand: o.brand, User: o.user, Currency: o.currency, Amount: o.amount,
		Gateway: o.gateway, Account: o.account, IdempotencyKey: o.key,
	}
	if err := a.readExpiry(body, &n); err != nil {
		return deposit.New{}, err
	}
	return n, n.Validate()
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
