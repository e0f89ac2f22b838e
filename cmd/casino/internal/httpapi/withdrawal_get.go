package httpapi

import (
	"net/http"

	"github.com/walletctl/walletctl/walletcore"
)

// getWithdrawal answers GET /withdrawals/{id}. An id that could not be one, and
// another brand's, are as unknown as any other.
func (a *API) getWithdrawal(_ http.ResponseWriter, r *http.Request, who caller) (int, any, error) {
	id := r.PathValue("id")
	if walletcore.CheckID("id", id, walletcore.MaxGivenID) != nil {
		return 0, nil, errNoWithdrawal
	}
	found, err := a.o.Withdrawals.Get(r.Context(), who.brand, id)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, withdrawalView(&found), nil
}
