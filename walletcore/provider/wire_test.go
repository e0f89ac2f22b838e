package provider_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/provider"
	"github.com/walletctl/walletctl/walletcore/signature"
)

// post sends a body through a real server.
func post(t *testing.T, url, body string, header http.Header) (status int, answer string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	require.NoError(t, err)
	r.Header = header
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(text)
}

// Whatever the header of a signature holds, the call is refused as the dialect
// refuses it and the next good one is served.
func TestHandler_OddSignatureHeadersOverARealConnection(t *testing.T) {
	t.Parallel()
	for _, dialect := range provider.DialectNames() {
		d := newDoor(t, dialect, "1000")
		server := httptest.NewServer(d.mux)
		t.Cleanup(server.Close)
		url, body := server.URL+"/providers/acme/games/"+calls[dialect][0], calls[dialect][1]
		name, value, prefix := headerOf(dialect, body)
		digest := value[len(prefix):]
		for what, values := range map[string][]string{
			"missing":              nil,
			"empty":                {""},
			"blank":                {"   "},
			"63 characters":        {value[:len(value)-1]},
			"65 characters":        {value + "0"},
			"no hex":               {prefix + "zz" + digest[2:]},
			"two, both good":       {value, value},
			"two, the first good":  {value, prefix + strings.Repeat("0", 64)},
			"two, the second good": {prefix + strings.Repeat("0", 64), value},
			"two in one":           {value + "," + value},
			"a blank within":       {prefix + digest[:32] + " " + digest[32:]},
			"a tab within":         {prefix + digest[:32] + "\t" + digest[32:]},
			"another prefix":       {"sha512=" + digest},
			"a prefix with blank":  {"sha256= " + digest},
			"half a megabyte":      {strings.Repeat("a", 1<<19)},
			"bytes that are none":  {"\xc3\xa9\xff"},
			"the prefix alone":     {prefix + "sha256="},
		} {
			status, answer := post(t, url, body, http.Header{name: values})
			require.Equal(t, refusedStatus[dialect], status, "%s, %s: %s", dialect, what, answer)
		}
		// The server itself stops a larger one.
		status, _ := post(t, url, body, http.Header{name: {strings.Repeat("a", 2<<20)}})
		require.Equal(t, http.StatusRequestHeaderFieldsTooLarge, status)
		require.Empty(t, d.wallet.requests)
		for _, good := range []string{value, prefix + strings.ToUpper(digest), strings.ToLower(prefix) + digest} {
			status, answer := post(t, url, body, http.Header{name: {good}})
			require.Equal(t, 200, status, answer)
		}
	}
}

// A blank behind the prefix, and base64, are a profile's to allow.
func TestHandler_TheFormOfASignatureIsTheProfiles(t *testing.T) {
	t.Parallel()
	body := standardBody(`"transaction_id":"t","amount":"1"`)
	for _, c := range []struct {
		form  signature.Form
		value string
		want  int
	}{
		{signature.Form{Encoding: signature.Hex, Prefix: "sha256= "}, "sha256= " + sum(body), 200},
		{signature.Form{Encoding: signature.Hex, Prefix: "sha256="}, "sha256= " + sum(body), 401},
		{signature.Form{Encoding: signature.Hex, Prefix: "sha256="}, sum(body), 401},
		{signature.Form{Encoding: signature.Base64}, sum(body), 401},
	} {
		c.form.Header = "X-Acme"
		d := newDoor(t, "standard", "10", func(o *provider.ProfileOptions) { o.Signature = &c.form })
		status, answer := d.send("bet", body, http.Header{"X-Acme": {c.value}})
		require.Equal(t, c.want, status, answer)
	}
}

// headerOf is how a dialect signs a body.
func headerOf(dialect, body string) (name, value, prefix string) {
	for name = range signed(dialect, body) {
		value = signed(dialect, body).Get(name)
	}
	return name, value, value[:len(value)-64]
}

// A body that broke off on its way says nothing about what stands in it: it is
// to be sent again, never a final answer.
func TestHandler_ABodyThatBreaksOffIsToBeSentAgain(t *testing.T) {
	t.Parallel()
	for _, dialect := range provider.DialectNames() {
		d := newDoor(t, dialect, "1000")
		operation, body := calls[dialect][0], calls[dialect][1]
		broken := io.MultiReader(strings.NewReader(body[:10]), iotest.ErrReader(errors.New("connection reset by peer")))
		r := httptest.NewRequest(http.MethodPost, "/providers/acme/games/"+operation, broken)
		r.Header = signed(dialect, body)
		w := newRecorder(d.mux, r)
		require.GreaterOrEqual(t, w.Code, 500, w.Body.String())
		require.Equal(t, []provider.Reason{provider.Unavailable}, d.seen)
		require.Empty(t, d.wallet.requests)
	}
}
