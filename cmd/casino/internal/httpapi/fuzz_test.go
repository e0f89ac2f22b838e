package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/casino/internal/httpapi"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/deposit"
)

// FuzzCreate: whatever a site sends is a deposit of its own brand, or a final
// answer.
func FuzzCreate(f *testing.F) {
	f.Add("key-1", []byte(body("", "")))
	f.Fuzz(func(t *testing.T, key string, text []byte) {
		store := &memory{byKey: map[string]deposit.Deposit{}}
		status, answer := create(t, store, key, string(text))
		require.True(t, status == http.StatusCreated || status >= 400 && status < 500, "%d %s", status, answer)
		require.Equal(t, status == http.StatusCreated, len(store.byKey) == 1)
		for _, d := range store.byKey {
			require.Equal(t, "acme", d.Brand)
			require.Equal(t, key, d.IdempotencyKey)
			require.NoError(t, walletcore.CheckPayable(d.Amount, d.Currency))
			require.NoError(t, walletcore.CheckID("user", d.User, walletcore.MaxGivenID))
		}
	})
}

// create asks the API itself for a deposit, without a connection.
func create(t *testing.T, store *memory, key, text string) (status int, answer string) {
	t.Helper()
	tokens := &httpapi.Tokens{}
	require.NoError(t, tokens.Add("site-acme", "acme", []byte(acmeToken)))
	api, err := httpapi.New(httpapi.Options{
		Tokens: tokens, Deposits: store, Withdrawals: noWithdrawals{}, Gateways: accounts{"acme/stripe": {"acme-eu"}},
	})
	require.NoError(t, err)
	mux := http.NewServeMux()
	api.Register(mux)
	r := httptest.NewRequest(http.MethodPost, "/deposits", strings.NewReader(text))
	r.Header = http.Header{"Authorization": {"Bearer " + acmeToken}, "Idempotency-Key": {key}}
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}
