package httpapi_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/casino/internal/httpapi"
	"github.com/walletctl/walletctl/walletcore/deposit"
)

func TestGet_AnotherBrandsDepositDoesNotExist(t *testing.T) {
	t.Parallel()
	s := newSite(t, plain)
	created := s.post(t, body("", ""))
	a := s.call(t, http.MethodGet, "/deposits/dep_1", "", nil)
	require.Equal(t, http.StatusOK, a.status)
	require.Equal(t, created.body, a.body)

	s.token = zetaToken
	foreign := s.call(t, http.MethodGet, "/deposits/dep_1", "", nil)
	unknown := s.call(t, http.MethodGet, "/deposits/dep_404", "", nil)
	require.Equal(t, http.StatusNotFound, foreign.status)
	require.Equal(t, unknown.body, foreign.body)
}

func TestGet_AnIDThatCannotBeOneIsUnknown(t *testing.T) {
	t.Parallel()
	s := newSite(t, plain)
	for _, id := range []string{"%00", "%20", "%ff", strings.Repeat("x", 5000), "DEP_1", "dep_1%20"} {
		require.Equal(t, http.StatusNotFound, s.call(t, http.MethodGet, "/deposits/"+id, "", nil).status, id)
	}
}

func TestAPI_WithoutAValidTokenItIs401(t *testing.T) {
	t.Parallel()
	s := newSite(t, plain)
	for name, values := range map[string][]string{
		"none":          nil,
		"empty":         {""},
		"no scheme":     {acmeToken},
		"basic":         {"Basic " + acmeToken},
		"wrong":         {"Bearer " + acmeToken + "x"},
		"prefix of one": {"Bearer " + acmeToken[:10]},
		"other case":    {"Bearer " + strings.ToUpper(acmeToken)},
		"two spaces":    {"Bearer  " + acmeToken},
		"twice":         {"Bearer " + acmeToken, "Bearer " + acmeToken},
		"two tokens":    {"Bearer " + acmeToken, "Bearer " + zetaToken},
		"huge":          {"Bearer " + strings.Repeat("a", 100_000)},
	} {
		for _, method := range []string{http.MethodPost, http.MethodGet} {
			path := map[string]string{http.MethodPost: "/deposits", http.MethodGet: "/deposits/dep_1"}[method]
			a := s.call(t, method, path, body("", ""), map[string][]string{"Authorization": values})
			require.Equal(t, http.StatusUnauthorized, a.status, name)
			require.Equal(t, "Bearer", a.header.Get("WWW-Authenticate"))
			require.Contains(t, a.body, `"code":"unauthorized"`)
		}
	}
	a := s.call(t, http.MethodPost, "/deposits", body("", ""), map[string][]string{"Authorization": {"bearer " + acmeToken}})
	require.Equal(t, http.StatusCreated, a.status)
}

func TestAPI_NoTokensMeansNobodyIsLetIn(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(o *httpapi.Options) { o.Tokens = &httpapi.Tokens{} })
	a := s.call(t, http.MethodGet, "/deposits/x", "", map[string][]string{"Authorization": {"Bearer "}})
	require.Equal(t, http.StatusUnauthorized, a.status)
}

func TestAPI_TheCorrelationIDIsTheCallersWhereItIsFit(t *testing.T) {
	t.Parallel()
	s := newSite(t, plain)
	for given, kept := range map[string]bool{
		"req-1/abc": true, strings.Repeat("c", 128): true, strings.Repeat("c", 129): false, "a b": false, `a"b`: false, "é": false,
	} {
		a := s.call(t, http.MethodGet, "/deposits/x", "", map[string][]string{"X-Correlation-Id": {given}})
		got := a.header.Get("X-Correlation-ID")
		require.Equal(t, kept, got == given, given)
		require.NotEmpty(t, got)
	}
	a := s.call(t, http.MethodGet, "/deposits/x", "", map[string][]string{"Authorization": nil})
	require.NotEmpty(t, a.header.Get("X-Correlation-ID"), "a refused request has one too")
}

func TestAPI_AnErrorOfOursIs503AndLoggedOnce(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	s := newSite(t, func(o *httpapi.Options) { o.Logger = slog.New(slog.NewJSONHandler(&log, nil)) })
	s.store.fail = errors.New("connection to 10.0.0.1 refused")
	a := s.call(t, http.MethodPost, "/deposits", body("", ""), map[string][]string{"X-Correlation-Id": {"c-7"}})
	require.Equal(t, http.StatusServiceUnavailable, a.status)
	require.Equal(t, "5", a.header.Get("Retry-After"))
	require.NotContains(t, a.body, "10.0.0.1")
	require.Equal(t, 1, strings.Count(log.String(), "\n"))
	require.Contains(t, log.String(), `"correlation_id":"c-7"`)
	require.Contains(t, log.String(), "connection to 10.0.0.1 refused")
	require.NotContains(t, log.String(), acmeToken)
}

func TestAPI_ACallerThatHangsUpIsNoErrorOfOurs(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	s := newSite(t, func(o *httpapi.Options) { o.Logger = slog.New(slog.NewJSONHandler(&log, nil)) })
	s.store.fail = context.Canceled
	require.Equal(t, http.StatusServiceUnavailable, s.post(t, body("", "")).status)
	require.Empty(t, log.String())
}

func TestAPI_ObservesEveryRequestByItsRoute(t *testing.T) {
	t.Parallel()
	seen := make(chan string, 10)
	s := newSite(t, func(o *httpapi.Options) {
		o.Observe = func(route string, status int) { seen <- route + " " + http.StatusText(status) }
	})
	s.post(t, body("", ""))
	require.Equal(t, "POST /deposits Created", <-seen)
	s.call(t, http.MethodGet, "/deposits/secret-id", "", nil)
	require.Equal(t, "GET /deposits/{id} Not Found", <-seen)
	s.call(t, http.MethodGet, "/deposits/x", "", map[string][]string{"Authorization": nil})
	require.Equal(t, "GET /deposits/{id} Unauthorized", <-seen)
}

func TestNew_NeedsItsParts(t *testing.T) {
	t.Parallel()
	for _, o := range []httpapi.Options{
		{},
		{Tokens: &httpapi.Tokens{}, Deposits: &memory{}},
		{Deposits: &memory{}, Gateways: accounts{}},
		{Tokens: &httpapi.Tokens{}, Gateways: accounts{}},
	} {
		_, err := httpapi.New(o)
		require.Error(t, err)
	}
}

// The service of package deposit is what this door is made for.
var _ httpapi.Deposits = (*deposit.Service)(nil)
