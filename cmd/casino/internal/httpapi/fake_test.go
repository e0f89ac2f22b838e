package httpapi_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/casino/internal/httpapi"
	"github.com/walletctl/walletctl/walletcore/deposit"
)

const (
	acmeToken = "acme-token-0123456789"
	zetaToken = "zeta-token-0123456789"
)

var now = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

// memory keeps deposits by the rules of package deposit, for what HTTP makes of
// them. The real store is tested there.
type memory struct {
	mu    sync.Mutex
	byKey map[string]deposit.Deposit
	fail  error
}

func (m *memory) Create(_ context.Context, n deposit.New) (deposit.Deposit, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		return deposit.Deposit{}, false, m.fail
	}
	key := n.Brand + "/" + n.IdempotencyKey
	if d, ok := m.byKey[key]; ok {
		if d.Amount != n.Amount {
			return deposit.Deposit{}, false, &deposit.ConflictError{DepositID: d.ID, Field: "amount"}
		}
		return d, false, nil
	}
	d := deposit.Deposit{
		ID: fmt.Sprintf("dep_%d", len(m.byKey)+1), Brand: n.Brand, User: n.User, Currency: n.Currency, Amount: n.Amount,
		Gateway: n.Gateway, Account: n.Account, IdempotencyKey: n.IdempotencyKey, Status: deposit.Pending,
		CreatedAt: now, ExpiresAt: n.ExpiresAt, LastError: "internal detail", Attempts: 3,
	}
	m.byKey[key] = d
	return d, true, nil
}

func (m *memory) Get(_ context.Context, brand, id string) (deposit.Deposit, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, d := range m.byKey {
		if d.ID == id && d.Brand == brand {
			return d, m.fail
		}
	}
	return deposit.Deposit{}, deposit.ErrNotFound
}

// noWithdrawals is for tests that ask for none; those that do have the real
// thing.
type noWithdrawals struct{ httpapi.Withdrawals }

// accounts of brands at gateways, by "brand/gateway".
type accounts map[string][]string

func (a accounts) Names(brand, gateway string) []string { return a[brand+"/"+gateway] }

// site is a brand's site that calls the API.
type site struct {
	url   string
	token string
	store *memory
}

func newSite(t *testing.T, change func(*httpapi.Options)) *site {
	t.Helper()
	tokens := &httpapi.Tokens{}
	require.NoError(t, tokens.Add("site-acme", "acme", []byte(acmeToken)))
	require.NoError(t, tokens.Add("site-zeta", "zeta", []byte(zetaToken)))
	s := &site{token: acmeToken, store: &memory{byKey: map[string]deposit.Deposit{}}}
	o := httpapi.Options{
		Tokens: tokens, Deposits: s.store, Withdrawals: noWithdrawals{}, Now: func() time.Time { return now },
		Gateways: accounts{"acme/stripe": {"acme-eu"}, "acme/pix": {"acme-br", "acme-pt"}, "zeta/stripe": {"zeta-eu"}},
	}
	change(&o)
	api, err := httpapi.New(o)
	require.NoError(t, err)
	mux := http.NewServeMux()
	api.Register(mux)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

type answer struct {
	status int
	header http.Header
	body   string
}

// call sends a request with the site's token and, for a POST, an idempotency
// key. A header that is nil in change is not sent.
func (s *site) call(t *testing.T, method, path, body string, change map[string][]string) answer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, s.url+path, strings.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("Authorization", "Bearer "+s.token)
	if method == http.MethodPost {
		request.Header.Set("Idempotency-Key", "key-1")
		request.Header.Set("Content-Type", "application/json")
	}
	for name, values := range change {
		request.Header[http.CanonicalHeaderKey(name)] = values
	}
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return answer{response.StatusCode, response.Header, string(text)}
}

func (s *site) post(t *testing.T, body string) answer {
	t.Helper()
	return s.call(t, http.MethodPost, "/deposits", body, nil)
}

// body is a request for a deposit with one field set to a JSON text, or left
// out where that is empty.
func body(field, value string) string {
	fields := []string{"user", `"u-1"`, "currency", `"EUR"`, "amount", `"50.00"`, "gateway", `"stripe"`}
	var parts []string
	for i := 0; i < len(fields); i += 2 {
		if fields[i] != field {
			parts = append(parts, `"`+fields[i]+`":`+fields[i+1])
		}
	}
	if value != "" {
		parts = append(parts, `"`+field+`":`+value)
	}
	return "{" + strings.Join(parts, ",") + "}"
}
