package endtoend_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// field is a body of POST /deposits with one field replaced by a JSON value;
// an empty value leaves it out.
func field(name, value string) string {
	fields := map[string]string{"user": `"u-1"`, "currency": `"EUR"`, "amount": `"50.00"`, "gateway": `"pix"`}
	fields[name] = value
	var parts []string
	for key, text := range fields {
		if text != "" {
			parts = append(parts, fmt.Sprintf("%q:%s", key, text))
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func payable(currency, amount string) string {
	return fmt.Sprintf(`{"user":"u-1","currency":%q,"amount":%q,"gateway":"pix"}`, currency, amount)
}

func TestCreate_AmountsAndIdsThatCannotBeAreRefusedByTheirField(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, nil)
	p.startCasino(nil)
	for name, c := range map[string]struct{ body, field string }{
		"zero with many places":     {field("amount", `"0.00000000000000000000000"`), "amount"},
		"finer than 8 places":       {field("amount", `"0.000000001"`), "amount"},
		"finer than a cent":         {payable("EUR", "0.001"), "amount"},
		"a tenth of a yen":          {payable("JPY", "1000.5"), "amount"},
		"finer than a fils":         {payable("KWD", "1.2345"), "amount"},
		"huge exponent":             {field("amount", `"1E1000000000"`), "amount"},
		"tiny exponent":             {field("amount", `"1e-400000000"`), "amount"},
		"small exponent":            {field("amount", `"1e2"`), "amount"},
		"sixty thousand digits":     {field("amount", `"`+strings.Repeat("9", 60_000)+`"`), "amount"},
		"out of range":              {field("amount", `"10000000000"`), "amount"},
		"negative":                  {field("amount", `"-25"`), "amount"},
		"two minus signs":           {field("amount", `"--25"`), "amount"},
		"minus zero":                {field("amount", `"-0"`), "amount"},
		"not a number":              {field("amount", `"NaN"`), "amount"},
		"infinite":                  {field("amount", `"Infinity"`), "amount"},
		"a comma":                   {field("amount", `"12,50"`), "amount"},
		"a JSON number":             {field("amount", `50`), "amount"},
		"no amount":                 {field("amount", ""), "amount"},
		"null amount":               {field("amount", "null"), "amount"},
		"a very long user":          {field("user", `"`+strings.Repeat("u", 5000)+`"`), "user"},
		"a user of 256 bytes":       {field("user", `"`+strings.Repeat("u", 256)+`"`), "user"},
		"a user with NUL":           {field("user", `"a\u0000b"`), "user"},
		"a user with half a letter": {field("user", `"a\ud800b"`), "user"},
		"an empty user":             {field("user", `""`), "user"},
		"a blank user":              {field("user", `"   "`), "user"},
		"a user with a blank end":   {field("user", `"u-1 "`), "user"},
		"no user":                   {field("user", ""), "user"},
		"null user":                 {field("user", "null"), "user"},
		"a lower case currency":     {field("currency", `"eur"`), "currency"},
		"an unknown gateway":        {field("gateway", `"nobody"`), "gateway"},
		"an unknown field":          {field("user_id", `"u-1"`), "user_id"},
	} {
		a := p.post(acme, uuid.NewString(), c.body)
		code, field := a.problem()
		require.Equal(t, http.StatusUnprocessableEntity, a.status, "%s: %s", name, a.body)
		require.Equal(t, []string{"invalid_field", c.field}, []string{code, field}, name)
		require.Less(t, a.took, 5*time.Second, name)
	}
	require.Zero(t, p.count(`select count(*) from casino.deposits`))
}

func TestCreate_KeysAndBodiesThatCannotBeAreRefused(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, nil)
	p.startCasino(nil)
	good := payable("EUR", "50")
	for name, c := range map[string]struct {
		header http.Header
		body   string
		status int
		code   string
	}{
		"no key":             {http.Header{}, good, http.StatusBadRequest, "invalid_header"},
		"an empty key":       {key(""), good, http.StatusBadRequest, "invalid_header"},
		"a blank key":        {key("   "), good, http.StatusBadRequest, "invalid_header"},
		"a very long key":    {key(strings.Repeat("k", 5000)), good, http.StatusBadRequest, "invalid_header"},
		"a key with a tab":   {key("a\tb"), good, http.StatusBadRequest, "invalid_header"},
		"two keys":           {http.Header{"Idempotency-Key": {"a", "b"}}, good, http.StatusBadRequest, "invalid_header"},
		"ten megabytes":      {key("k"), field("amount", `"`+strings.Repeat("9", 10<<20)+`"`), http.StatusRequestEntityTooLarge, "too_large"},
		"not JSON":           {key("k"), "amount=50", http.StatusBadRequest, "malformed_body"},
		"two objects":        {key("k"), good + good, http.StatusBadRequest, "malformed_body"},
		"a list":             {key("k"), "[" + good + "]", http.StatusBadRequest, "malformed_body"},
		"not UTF-8":          {key("k"), field("user", "\"\xff\""), http.StatusBadRequest, "malformed_body"},
		"an amount twice":    {key("k"), `{"amount":"1",` + good[1:], http.StatusUnprocessableEntity, "invalid_field"},
		"another media type": {http.Header{"Idempotency-Key": {"k"}, "Content-Type": {"text/plain"}}, good, http.StatusUnsupportedMediaType, "unsupported_media_type"},
	} {
		a, err := p.site(acme, http.MethodPost, "/deposits", c.body, c.header)
		require.NoError(t, err, name)
		require.Equal(t, c.status, a.status, "%s: %s", name, a.body)
		code, _ := a.problem()
		require.Equal(t, c.code, code, name)
	}
	require.Zero(t, p.count(`select count(*) from casino.deposits`))
}

func TestCreate_IdsAreOpaqueAndBelongToTheirGiver(t *testing.T) {
	t.Parallel()
	p := newRunning(t, nil)
	long := strings.Repeat("ü", 127) + "u" // 255 bytes
	var deposits []deposit
	for _, o := range []order{
		{user: long},
		{user: "ABC", amount: "0.01"},
		{user: "abc", amount: "9999999999.99"},
		{brand: bravo, user: "ABC"},
		{user: "u-1", currency: "JPY", amount: "1000"},
		{user: "u-1", currency: "KWD", amount: "1.234"},
		{user: "u-1", currency: "USDT", amount: "0.00000001"},
	} {
		d := p.create(o)
		require.Equal(t, o.user, d.User)
		p.pay(d)
		deposits = append(deposits, d)
	}
	// The same key of two brands is two deposits; the same key again is one.
	key := strings.Repeat("k", 255)
	for _, brand := range []string{acme, bravo} {
		first, err := p.tryCreate(order{brand: brand}, key)
		require.NoError(t, err)
		again, err := p.tryCreate(order{brand: brand, amount: "50.00000000"}, key)
		require.NoError(t, err)
		require.Equal(t, first, again)
		_, err = p.tryCreate(order{brand: brand, amount: "50.01"}, key)
		require.ErrorContains(t, err, `409 {"error":{"code":"conflict","field":"amount"`)
		p.pay(first)
		deposits = append(deposits, first)
	}
	p.requireWhole(deposits, expected{})
	require.Equal(t, len(deposits), p.count(`select count(*) from gaming.wallets`), "users that differ in case or brand share a wallet")
}

func (p *platform) post(brand, idempotencyKey, body string) answer {
	p.t.Helper()
	a, err := p.site(brand, http.MethodPost, "/deposits", body, key(idempotencyKey))
	require.NoError(p.t, err)
	return a
}

func key(value string) http.Header { return http.Header{"Idempotency-Key": {value}} }
