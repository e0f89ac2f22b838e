package provider_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/provider"
	"github.com/walletctl/walletctl/walletcore/signature"
)

// refusedStatus is what a dialect answers a bad signature with.
var refusedStatus = map[string]int{"standard": 401, "process": 403, "softswiss": 400, "subunits": 403}

// calls are an operation and a body of each dialect: a bet.
var calls = map[string][2]string{
	"standard":  {"bet", standardBody(`"transaction_id":"t","amount":"1"`)},
	"process":   {"process", processBody(`{"action":"bet","action_id":"t","amount":1}`)},
	"softswiss": {"betwin", softswissBody(`{"id_provider":"t","type":"bet","amount":"1"}`)},
	"subunits":  {"bet", subunitsBody(`"transaction_id":"t","amount":1`)},
}

// Nothing but the right digest over the bytes as received opens the
// door, nothing is parsed before it, and the next call is served.
func TestHandler_ASignatureComesFirst(t *testing.T) {
	t.Parallel()
	const odd = "{\n\t\"currency\" :  \"EUR\", \"user\": \"\\u00E9\\/\", \"user_id\":1, \"account_id\":1, \"player_id\":1, \"currency_code\":\"EUR\"}"
	for _, dialect := range provider.DialectNames() {
		operation := map[string]string{"process": "process"}[dialect]
		if operation == "" {
			operation = "balance"
		}
		body := odd
		if dialect == "standard" {
			body = "{\n\t\"currency\" :  \"EUR\", \"user\": \"\\u00E9\\/\"}"
		}
		d := newDoor(t, dialect, "1")
		good := signed(dialect, body)
		var name, value string
		for name = range good {
			value = good.Get(name)
		}
		digest := value[len(value)-64:]
		prefix := value[:len(value)-64]
		for what, header := range map[string]http.Header{
			"missing":  {},
			"empty":    {name: {""}},
			"twice":    {name: {value, value}},
			"short":    {name: {value[:len(value)-1]}},
			"not hex":  {name: {prefix + "zz" + digest[2:]}},
			"huge":     {name: {strings.Repeat("a", 1<<20)}},
			"other":    {name: {prefix + sum(body+" ")}},
			"only key": {name: {prefix}},
		} {
			status, answer := d.send(operation, body, header)
			require.Equal(t, refusedStatus[dialect], status, "%s, %s: %s", dialect, what, answer)
			status, _ = d.send(operation, "not even JSON", header)
			require.Equal(t, refusedStatus[dialect], status, "%s, %s", dialect, what)
		}
		status, _ := d.send(operation, strings.Replace(body, "  ", " ", 1), good)
		require.Equal(t, refusedStatus[dialect], status, dialect)
		for _, right := range []string{value, prefix + strings.ToUpper(digest)} {
			status, answer := d.send(operation, body, http.Header{name: {right}})
			require.Equal(t, 200, status, answer)
		}
		require.Empty(t, d.wallet.requests)
	}
}

func TestHandler_AProfileMayWriteTheHeaderOtherwise(t *testing.T) {
	t.Parallel()
	d := newDoor(t, "standard", "1", func(o *provider.ProfileOptions) {
		o.Signature = &signature.Form{Header: "X-Acme", Encoding: signature.Hex, Prefix: "v1 "}
	})
	const body = `{"user":"u","currency":"EUR"}`
	status, _ := d.send("balance", body, http.Header{"X-Acme": {"v1 " + sum(body)}})
	require.Equal(t, 200, status)
	status, _ = d.send("balance", body, signed("standard", body))
	require.Equal(t, 401, status)
}

func TestHandler_KnowsNoOtherProfileAndNoLargerBody(t *testing.T) {
	t.Parallel()
	for _, dialect := range provider.DialectNames() {
		d := newDoor(t, dialect, "1")
		large := strings.Repeat(" ", provider.MaxBody+1)
		status, answer := d.send("balance", large, signed(dialect, large))
		require.Contains(t, []int{400, 413}, status, answer)
		require.Equal(t, []provider.Reason{provider.TooLarge}, d.seen)
	}
	d := newDoor(t, "standard", "1")
	r, err := http.NewRequest(http.MethodPost, "/providers/zeta/games/balance", strings.NewReader("{}"))
	require.NoError(t, err)
	w := newRecorder(d.mux, r)
	require.Equal(t, 404, w.Code)
	require.JSONEq(t, `{"error":{"code":"unknown_provider","message":"there is no such provider"}}`, w.Body.String())
}

// Whatever the wallet could not decide is answered so that the provider sends
// again.
func TestHandler_AnOutageIsNeverADecline(t *testing.T) {
	t.Parallel()
	for _, dialect := range provider.DialectNames() {
		d := newDoor(t, dialect, "1")
		d.wallet.err = errOut
		status, answer := d.send(calls[dialect][0], calls[dialect][1], signed(dialect, calls[dialect][1]))
		require.GreaterOrEqual(t, status, 500, answer)
		require.NotContains(t, answer, errOut.Error())
		require.Equal(t, []provider.Reason{provider.Unavailable}, d.seen)
		d.wallet.err = nil
		status, answer = d.send(calls[dialect][0], calls[dialect][1], signed(dialect, calls[dialect][1]))
		require.Equal(t, 200, status, answer)
	}
}

// What cannot be an id is final, in every dialect.
func TestHandler_BadIDsAreFinal(t *testing.T) {
	t.Parallel()
	for _, id := range []string{`"a\u0000b"`, `""`, `"   "`, `null`, `"` + strings.Repeat("x", 5000) + `"`, `1.5`, `{}`, `" a"`} {
		for dialect, call := range map[string][2]string{
			"standard":  {"bet", standardBody(`"transaction_id":` + id + `,"amount":"1"`)},
			"process":   {"process", processBody(`{"action":"bet","action_id":` + id + `,"amount":1}`)},
			"softswiss": {"betwin", softswissBody(`{"id_provider":` + id + `,"type":"bet","amount":"1"}`)},
			"subunits":  {"bet", subunitsBody(`"transaction_id":` + id + `,"amount":1`)},
		} {
			d := newDoor(t, dialect, "1")
			status, answer := d.send(call[0], call[1], signed(dialect, call[1]))
			require.Equal(t, 400, status, "%s %s: %s", dialect, id, answer)
			require.Empty(t, d.wallet.requests)
		}
	}
}

// A secret opens its own brand's door and no other.
func TestHandler_ABrandsSecretIsNoOtherBrands(t *testing.T) {
	t.Parallel()
	acme, err := provider.NewProfile(options("standard"))
	require.NoError(t, err)
	zeta, err := provider.NewProfile(options("standard", func(o *provider.ProfileOptions) {
		o.Brand, o.Secrets = "zeta", [][]byte{[]byte("the-secret-of-zeta-games")}
	}))
	require.NoError(t, err)
	profiles, err := provider.NewProfiles(acme, zeta)
	require.NoError(t, err)
	wallet := newFake("1")
	handler, err := provider.NewHandler(provider.HandlerOptions{Profiles: profiles, Wallet: wallet})
	require.NoError(t, err)
	mux := http.NewServeMux()
	mux.Handle(provider.Pattern, handler)
	for brand, want := range map[string]int{"acme": 200, "zeta": 401} {
		for operation, body := range map[string]string{
			"balance": `{"user":"u","currency":"EUR"}`,
			"win":     `{"user":"u","currency":"EUR","transaction_id":"t","amount":"1"}`,
		} {
			r, err := http.NewRequest(http.MethodPost, "/providers/"+brand+"/games/"+operation, strings.NewReader(body))
			require.NoError(t, err)
			r.Header = signed("standard", body)
			require.Equal(t, want, newRecorder(mux, r).Code, "%s %s", brand, operation)
		}
	}
	require.Len(t, wallet.requests, 1)
	require.Equal(t, "acme", wallet.requests[0].Wallet.Brand)
}

// A reason that a dialect has no code for is a refusal all the same.
func TestHandler_EveryRefusalHasAnAnswer(t *testing.T) {
	t.Parallel()
	for _, dialect := range provider.DialectNames() {
		for _, code := range []walletcore.RefusalCode{
			walletcore.RefusedOverflow, walletcore.RefusedNoFunds, walletcore.RefusedFrozen, walletcore.RefusedDebt,
			walletcore.RefusedNoBet, walletcore.RefusedSettled, walletcore.RefusedRolledBack,
		} {
			d := newDoor(t, dialect, "1")
			d.wallet.refusal = code
			call := calls[dialect]
			status, answer := d.send(call[0], call[1], signed(dialect, call[1]))
			require.True(t, status >= 400 && status < 500, "%s %s: %d %s", dialect, code, status, answer)
			require.Equal(t, []provider.Reason{provider.Reason(code)}, d.seen)
		}
	}
}
