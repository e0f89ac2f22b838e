package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/casino/internal/httpapi"
)

func plain(*httpapi.Options) {}

func TestCreate_AnswersWithTheDeposit(t *testing.T) {
	t.Parallel()
	a := newSite(t, plain).post(t, body("", ""))
	require.Equal(t, http.StatusCreated, a.status, a.body)
	require.Equal(t, "/deposits/dep_1", a.header.Get("Location"))
	require.Equal(t, "application/json", a.header.Get("Content-Type"))
	require.Equal(t, "no-store", a.header.Get("Cache-Control"))
	require.JSONEq(t, `{"id":"dep_1","status":"pending","brand":"acme","user":"u-1","currency":"EUR",
		"amount":"50.00000000","gateway":"stripe","account":"acme-eu","created_at":"2026-03-04T05:06:07Z",
		"expires_at":"2026-03-04T06:06:07Z","confirmed_at":null,"credited_at":null}`, a.body)
}

func TestCreate_AResendGetsTheFirstDeposit(t *testing.T) {
	t.Parallel()
	s := newSite(t, plain)
	first := s.post(t, body("amount", `"50"`))
	require.Equal(t, http.StatusCreated, first.status)
	// The same amount, written otherwise, is the same request.
	again := s.post(t, body("amount", `"50.00000000"`))
	require.Equal(t, http.StatusOK, again.status)
	require.Equal(t, first.body, again.body)
	require.Equal(t, "/deposits/dep_1", again.header.Get("Location"))
}

func TestCreate_TheSameKeyWithOtherContentNamesTheField(t *testing.T) {
	t.Parallel()
	s := newSite(t, plain)
	s.post(t, body("amount", `"50"`))
	a := s.post(t, body("amount", `"500"`))
	require.Equal(t, http.StatusConflict, a.status)
	require.JSONEq(t, `{"error":{"code":"conflict","field":"amount",
		"message":"this Idempotency-Key was used for a deposit with another amount"}}`, a.body)
}

func TestCreate_KeysAreABrandsOwn(t *testing.T) {
	t.Parallel()
	s := newSite(t, plain)
	require.Equal(t, http.StatusCreated, s.post(t, body("amount", `"1"`)).status)
	s.token = zetaToken
	require.Equal(t, http.StatusCreated, s.post(t, body("amount", `"2"`)).status)
}

func TestCreate_TheTokenFixesTheBrand(t *testing.T) {
	t.Parallel()
	s := newSite(t, plain)
	require.Equal(t, http.StatusCreated, s.post(t, body("brand", `"acme"`)).status)
	a := s.post(t, body("brand", `"zeta"`))
	require.Equal(t, http.StatusForbidden, a.status)
	require.Contains(t, a.body, `"code":"forbidden","field":"brand"`)
	require.Equal(t, http.StatusForbidden, s.post(t, body("brand", `"ACME"`)).status)
	require.Equal(t, http.StatusForbidden, s.post(t, body("brand", `""`)).status)
}

func TestCreate_RefusesAFieldAndSaysWhy(t *testing.T) {
	t.Parallel()
	s := newSite(t, plain)
	for _, c := range []struct{ field, value, reason string }{
		{"amount", "", "is missing"},
		{"amount", `null`, "is missing"},
		{"amount", `50`, `must be a decimal string such as "12.50"`},
		{"amount", `1E1000000000`, `must be a decimal string such as "12.50"`},
		{"amount", `"1E1000000000"`, "is not a plain decimal number such as 12.50"},
		{"amount", `"1e-400000000"`, "is not a plain decimal number such as 12.50"},
		{"amount", `"1e2"`, "is not a plain decimal number such as 12.50"},
		{"amount", `"` + strings.Repeat("9", 60_000) + `"`, "is longer than 64 characters"},
		{"amount", `"-25"`, "must be greater than zero"},
		{"amount", `"--25"`, "has more than one sign"},
		{"amount", `"0"`, "must be greater than zero"},
		{"amount", `"0.00000000000000000000000"`, "must be greater than zero"},
		{"amount", `"50.001"`, "is finer than the smallest unit of EUR"},
		{"amount", `"0.000000001"`, "has more than 8 decimal places"},
		{"amount", `"10000000000"`, "is out of range: at most 10 digits before the point"},
		{"amount", `"50,00"`, "is not a plain decimal number such as 12.50"},
		{"currency", "", "is missing"},
		{"currency", `"eur"`, "must be an upper-case code such as EUR"},
		{"user", "", "is missing"},
		{"user", `""`, "must not be empty"},
		{"user", `"   "`, "must not be empty"},
		{"user", `" u"`, "begins or ends with a blank"},
		{"user", `"a\u0000b"`, "holds a control character"},
		{"user", `"a\ud800"`, "holds a broken character"},
		{"user", `12345`, "must be a string"},
		{"user", `"` + strings.Repeat("x", 5000) + `"`, "is longer than 255 bytes"},
		{"user", `"` + strings.Repeat("x", 256) + `"`, "is longer than 255 bytes"},
		{"gateway", "", "is missing"},
		{"gateway", `"paypal"`, "is not one that the brand has an account at"},
		{"account", `"zeta-eu"`, "is not one that the brand has at this gateway"},
		{"account", `7`, "must be a string"},
		{"expires_in", `0`, "must be 1 to 2592000 seconds, which is 30 days"},
		{"expires_in", `-1`, "must be 1 to 2592000 seconds, which is 30 days"},
		{"expires_in", `2592001`, "must be 1 to 2592000 seconds, which is 30 days"},
		{"expires_in", `1.5`, "must be an integer"},
		{"expires_in", `1e3`, "must be an integer"},
		{"expires_in", `"60"`, "must be an integer"},
		{"expires_in", `9223372036854775808`, "is out of range"},
		{"expires_in", `60,"expires_at":"2026-03-05T00:00:00Z"`, "cannot be given together with expires_at"},
		{"expires_at", `"tomorrow"`, "is not an RFC 3339 time such as 2026-01-02T15:04:05Z"},
		{"expires_at", `1772600767`, "must be a string"},
		{"expires_at", `"2026-04-03T05:06:08Z"`, "is more than 30 days ahead"},
		{"expires_at", `"9999-12-31T23:59:59-12:00"`, "is more than 30 days ahead"},
		{"expires_at", `"0000-01-01T00:00:00Z"`, "is out of range"},
		{"Amount", `"50"`, "is not a field of this request"},
		{"note", `"x"`, "is not a field of this request"},
		{"amount", `"1","amount":"2"`, "stands twice"},
	} {
		a := s.post(t, body(c.field, c.value))
		require.Equal(t, http.StatusUnprocessableEntity, a.status, "%s %.40s: %s", c.field, c.value, a.body)
		var got struct {
			Error struct{ Code, Field, Message string }
		}
		require.NoError(t, json.Unmarshal([]byte(a.body), &got))
		require.Equal(t, "invalid_field", got.Error.Code)
		require.Equal(t, c.field, got.Error.Field)
		require.Equal(t, c.field+" "+c.reason, got.Error.Message)
	}
	require.Empty(t, s.store.byKey, "a refused request leaves nothing behind")
}

func TestCreate_AmountsFollowTheCurrency(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		amount, currency string
		status           int
	}{
		{"1000", "JPY", http.StatusCreated},
		{"1000.0", "JPY", http.StatusCreated},
		{"1000.5", "JPY", http.StatusUnprocessableEntity},
		{"1.234", "KWD", http.StatusCreated},
		{"1.2345", "KWD", http.StatusUnprocessableEntity},
		{"0.00000001", "USDT", http.StatusCreated},
		{"9999999999.99", "EUR", http.StatusCreated},
	} {
		text := strings.Replace(body("amount", `"`+c.amount+`"`), "EUR", c.currency, 1)
		a := newSite(t, plain).post(t, text)
		require.Equal(t, c.status, a.status, "%s %s: %s", c.amount, c.currency, a.body)
	}
}

func TestCreate_ABodyThatIsNoRequestIs400(t *testing.T) {
	t.Parallel()
	s := newSite(t, plain)
	for _, text := range []string{"", "{", "[]", "null", "{} {}", "\xff", strings.Repeat(`{"a":`, 70) + "1" + strings.Repeat("}", 70)} {
		a := s.post(t, text)
		require.Equal(t, http.StatusBadRequest, a.status, text)
		require.Contains(t, a.body, `"code":"malformed_body"`)
	}
}

func TestCreate_BoundsItsBody(t *testing.T) {
	t.Parallel()
	s := newSite(t, plain)
	request := body("", "")
	largest := request + strings.Repeat(" ", 64<<10-len(request))
	require.Equal(t, http.StatusCreated, s.post(t, largest).status)
	a := s.post(t, largest+" ")
	require.Equal(t, http.StatusRequestEntityTooLarge, a.status)
	require.Contains(t, a.body, `"code":"too_large"`)
}

func TestCreate_NeedsOneFitIdempotencyKey(t *testing.T) {
	t.Parallel()
	s := newSite(t, plain)
	for reason, values := range map[string][]string{
		"must be given once":           nil,
		"must not be empty":            {""},
		"is longer than 255 bytes":     {strings.Repeat("k", 256)},
		"is not valid UTF-8":           {"k\xff"},
		"holds a control character":    {"k\u0085k"},
		"must be given once ":          {"a", "b"},
		"must be given once, two same": {"a", "a"},
	} {
		a := s.call(t, http.MethodPost, "/deposits", body("", ""), map[string][]string{"Idempotency-Key": values})
		require.Equal(t, http.StatusBadRequest, a.status)
		require.Contains(t, a.body, `"code":"invalid_header","field":"Idempotency-Key"`)
		want, _, _ := strings.Cut(strings.TrimSpace(reason), ",")
		require.Contains(t, a.body, "Idempotency-Key "+want)
	}
	a := s.call(t, http.MethodPost, "/deposits", body("", ""), map[string][]string{"Idempotency-Key": {strings.Repeat("k", 255)}})
	require.Equal(t, http.StatusCreated, a.status)
}

func TestCreate_TakesJSONAlone(t *testing.T) {
	t.Parallel()
	s := newSite(t, plain)
	for kind, status := range map[string]int{
		"application/x-www-form-urlencoded": http.StatusUnsupportedMediaType,
		"text/plain":                        http.StatusUnsupportedMediaType,
		"application/json; charset=utf-8":   http.StatusCreated,
	} {
		a := s.call(t, http.MethodPost, "/deposits", body("", ""), map[string][]string{"Content-Type": {kind}})
		require.Equal(t, status, a.status, kind)
	}
	a := s.call(t, http.MethodPost, "/deposits", body("", ""), map[string][]string{"Content-Type": nil})
	require.Equal(t, http.StatusOK, a.status)
}

func TestCreate_ExpiryIsAnHourOrAsAsked(t *testing.T) {
	t.Parallel()
	for field, c := range map[string]struct {
		value string
		want  time.Time
	}{
		"none":        {"", now.Add(time.Hour)},
		"expires_in":  {"2592000", now.Add(30 * 24 * time.Hour)},
		"expires_at":  {`"2026-03-04T09:00:00.123456789+01:00"`, time.Date(2026, 3, 4, 8, 0, 0, 123456000, time.UTC)},
		"expires_at ": {`"2026-03-04T05:06:06Z"`, now.Add(-time.Second)}, // left to Create: a resend may be late
	} {
		s := newSite(t, plain)
		a := s.post(t, body(strings.TrimSpace(field), c.value))
		require.Equal(t, http.StatusCreated, a.status, a.body)
		require.Equal(t, c.want, s.store.byKey["acme/key-1"].ExpiresAt, field)
	}
}

func TestCreate_TheAccountMayBeLeftOutWhereThereIsOne(t *testing.T) {
	t.Parallel()
	s := newSite(t, plain)
	a := s.post(t, body("gateway", `"pix"`))
	require.Equal(t, http.StatusUnprocessableEntity, a.status)
	require.Contains(t, a.body, "account must be given: the brand has several at this gateway")
	a = s.post(t, body("gateway", `"pix","account":"acme-pt"`))
	require.Equal(t, http.StatusCreated, a.status)
	require.Contains(t, a.body, `"account":"acme-pt"`)
}

func TestCreate_UserIDsKeepTheirCase(t *testing.T) {
	t.Parallel()
	s := newSite(t, plain)
	for i, user := range []string{"ORDER123", "order123", "7328334202200869667", "zażółć"} {
		a := s.call(t, http.MethodPost, "/deposits", body("user", `"`+user+`"`),
			map[string][]string{"Idempotency-Key": {fmt.Sprint(i)}})
		require.Equal(t, http.StatusCreated, a.status)
		require.Contains(t, a.body, `"user":"`+user+`"`)
	}
}
