package httpapi

import (
	"net/http"
	"strings"

	"github.com/walletctl/walletctl/walletcore/withdrawal"
)

// createWithdrawal answers POST /withdrawals.
func (a *API) createWithdrawal(w http.ResponseWriter, r *http.Request, who caller) (int, any, error) {
	n, err := a.readWithdrawal(w, r, who)
	if err != nil {
		return 0, nil, err
	}
	made, created, err := a.o.Withdrawals.Create(r.Context(), n)
	if err != nil {
		return 0, nil, err
	}
	w.Header().Set("Location", "/withdrawals/"+made.ID)
	if created {
		return http.StatusCreated, withdrawalView(&made), nil
	}
	return http.StatusOK, withdrawalView(&made), nil
}

func (a *API) readWithdrawal(w http.ResponseWriter, r *http.Request, who caller) (withdrawal.New, error) {
	o, body, err := a.readOrder(w, r, who, "destination")
	if err != nil {
		return withdrawal.New{}, err
	}
	destination, given, err := body.Text("destination")
	switch {
	case err != nil:
		return withdrawal.New{}, err
	case !given:
		return withdrawal.New{}, fault("destination", "is missing")
	case strings.ContainsRune(destination, '\uFFFD'):
		return withdrawal.New{}, fault("destination", "holds a broken character")
	}
	n := withdrawal.New{
		Brand: o.brand, User: o.user, Currency: o.currency, Amount: o.amount, Gateway: o.gateway, Account: o.account,
		Destination: destination, IdempotencyKey: o.key, CorrelationID: w.Header().Get(correlationHeader),
	}
	return n, n.Validate()
}
