package httpapi

import (
	"net/http"

	"github.com/walletctl/walletctl/walletcore"
)

// getDeposit answers GET /deposits/{id}. An id that could not be one, and another
// brand's, are as unknown as any other.
func (a *API) getDeposit(_ http.ResponseWriter, r *http.Request, who caller) (int, any, error) {
	id := r.PathValue("id")
	if walletcore.CheckID("id", id, walletcore.MaxGivenID) != nil {
		return 0, nil, errNotFound
	}
	d, err := a.o.Deposits.Get(r.Context(), who.brand, id)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, depositView(&d), nil
}
