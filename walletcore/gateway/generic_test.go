package gateway_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/gateway"
)

func TestGenericVerify_SignatureIsOverTheBytesReceived(t *testing.T) {
	t.Parallel()
	// Each of these is another text once a JSON library has written it again.
	for _, body := range []string{
		`{"b":1.0,  "a":"\/path","c":"\u00E9","d":"é"}`,
		"{}\n", " {}", "", "not json at all \x00\xff", `{"id":"ORDER123"}`,
	} {
		digest := sum(secret, body)
		require.NoError(t, dialect(t, "generic").Verify(headers("X-Signature", digest), []byte(body), secrets, now))
		err := dialect(t, "generic").Verify(headers("X-Signature", digest), []byte(body+" "), secrets, now)
		require.ErrorIs(t, err, gateway.ErrSignatureMismatch)
	}
	err := dialect(t, "generic").Verify(headers("X-Signature", sum(secret, `{"id":"ORDER123"}`)),
		[]byte(`{"id":"order123"}`), secrets, now)
	require.ErrorIs(t, err, gateway.ErrSignatureMismatch)
}

func TestGenericVerify_DecodesTheHeaderBeforeComparing(t *testing.T) {
	t.Parallel()
	const body = `{"amount":"1.00"}`
	good := sum(secret, body)
	for name, c := range map[string]struct {
		values []string
		want   error
	}{
		"lower case":           {[]string{good}, nil},
		"upper case":           {[]string{strings.ToUpper(good)}, nil},
		"prefix":               {[]string{"sha256=" + good}, nil},
		"prefix, upper case":   {[]string{"sha256=" + strings.ToUpper(good)}, nil},
		"the other secret":     {[]string{sum(newSecret, body)}, nil},
		"a retired secret":     {[]string{sum([]byte("whsec_retired_retired"), body)}, gateway.ErrSignatureMismatch},
		"no header":            {nil, gateway.ErrSignatureMissing},
		"empty":                {[]string{""}, gateway.ErrSignatureMissing},
		"two headers":          {[]string{good, good}, gateway.ErrSignatureRepeated},
		"good and empty":       {[]string{good, ""}, gateway.ErrSignatureRepeated},
		"joined by a proxy":    {[]string{good + ", " + good}, gateway.ErrSignatureMalformed},
		"prefix alone":         {[]string{"sha256="}, gateway.ErrSignatureMalformed},
		"prefix twice":         {[]string{"sha256=sha256=" + good}, gateway.ErrSignatureMalformed},
		"space after prefix":   {[]string{"sha256= " + good}, gateway.ErrSignatureMalformed},
		"other algorithm":      {[]string{"sha512=" + good}, gateway.ErrSignatureMalformed},
		"63 characters":        {[]string{good[:63]}, gateway.ErrSignatureMalformed},
		"62 characters":        {[]string{good[:62]}, gateway.ErrSignatureMalformed},
		"66 characters":        {[]string{good + "00"}, gateway.ErrSignatureMalformed},
		"not hex":              {[]string{strings.Repeat("z", 64)}, gateway.ErrSignatureMalformed},
		"a megabyte":           {[]string{strings.Repeat("a", 1<<20)}, gateway.ErrSignatureMalformed},
		"one bit off":          {[]string{flipFirst(good)}, gateway.ErrSignatureMismatch},
		"HMAC of another body": {[]string{sum(secret, "{}")}, gateway.ErrSignatureMismatch},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := dialect(t, "generic").Verify(headers("X-Signature", c.values...), []byte(body), secrets, now)
			require.ErrorIs(t, err, c.want)
		})
	}
}

func flipFirst(digest string) string {
	if digest[0] == '0' {
		return "1" + digest[1:]
	}
	return "0" + digest[1:]
}

func TestVerify_NoSecretMeansNoSignatureIsGood(t *testing.T) {
	t.Parallel()
	err := dialect(t, "generic").Verify(headers("X-Signature", sum(nil, "{}")), []byte("{}"), nil, now)
	require.ErrorIs(t, err, gateway.ErrSignatureMismatch)
}

var received = gateway.Received{
	MessageID: "0195-message", Gateway: "pix", Account: "acme-br", Brand: "acme",
	Dialect: "generic", ReceivedAt: now, CorrelationID: "c-1",
}

func TestGenericParse_ReadsEveryField(t *testing.T) {
	t.Parallel()
	body := []byte(`{"event_id":"evt-1","type":"payment.settled","deposit_id":"dep_1","payment_id":7328334202200869667,
		"status":"confirmed","amount":"50.00","currency":"EUR","occurred_at":"2026-03-04T06:05:00.123456789+01:00",
		"later":{"unknown":[1e9]}}`)
	got, err := dialect(t, "generic").Parse(body, received)
	require.NoError(t, err)
	want := []walletcore.Notification{{
		MessageID: "0195-message", Gateway: "pix", Account: "acme-br", Dialect: "generic", Brand: "acme",
		EventID: "evt-1", EventType: "payment.settled", DepositID: "dep_1", PaymentID: "7328334202200869667",
		Status: walletcore.PaymentConfirmed, Amount: walletcore.MustParseMoney("50"), Currency: "EUR",
		OccurredAt: time.Date(2026, 3, 4, 5, 5, 0, 123456000, time.UTC), ReceivedAt: now, Body: body,
	}}
	require.Empty(t, cmp.Diff(want, got, byValue))
}

func TestGenericParse_ABodyCannotChooseItsBrand(t *testing.T) {
	t.Parallel()
	body := genericBody("brand", `"other"`)
	got, err := dialect(t, "generic").Parse([]byte(body), received)
	require.NoError(t, err)
	require.Equal(t, "acme", got[0].Brand)
}

// genericBody is a confirmed payment with one field set to a JSON text, or left
// out where that is empty.
func genericBody(field, value string) string {
	fields := []string{
		"event_id", `"evt-1"`, "type", `"t"`, "deposit_id", `"dep_1"`, "payment_id", `"pay-1"`,
		"status", `"confirmed"`, "amount", `"50.00"`, "currency", `"EUR"`, "occurred_at", `"2026-03-04T05:06:07Z"`,
	}
	parts := []string{}
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

func TestGenericParse_RefusesAndNamesTheField(t *testing.T) {
	t.Parallel()
	digits := strings.Repeat("9", 900_000)
	for _, c := range []struct{ field, value, reason string }{
		{"amount", "", "is missing"},
		{"amount", `50`, `must be a decimal string such as "12.50"`},
		{"amount", `50.00`, `must be a decimal string such as "12.50"`},
		{"amount", `1E1000000000`, `must be a decimal string such as "12.50"`},
		{"amount", `"1E1000000000"`, "is not a plain decimal number such as 12.50"},
		{"amount", `"1e-400000000"`, "is not a plain decimal number such as 12.50"},
		{"amount", `"1e2"`, "is not a plain decimal number such as 12.50"},
		{"amount", `"` + digits + `"`, "is longer than 64 characters"},
		{"amount", `"-25"`, "must be greater than zero"},
		{"amount", `"--25"`, "has more than one sign"},
		{"amount", `"-+25"`, "has more than one sign"},
		{"amount", `"0"`, "must be greater than zero"},
		{"amount", `"0.00000000000000000000000"`, "must be greater than zero"},
		{"amount", `"50.001"`, "is finer than the smallest unit of EUR"},
		{"amount", `"0.000000001"`, "has more than 8 decimal places"},
		{"amount", `"10000000000"`, "is out of range: at most 10 digits before the point"},
		{"amount", `"50,00"`, "is not a plain decimal number such as 12.50"},
		{"amount", `" 50"`, "is not a plain decimal number such as 12.50"},
		{"amount", `"NaN"`, "is not a plain decimal number such as 12.50"},
		{"currency", "", "must be an upper-case code such as EUR"},
		{"currency", `"eur"`, "must be an upper-case code such as EUR"},
		{"currency", `978`, "must be a string"},
		{"event_id", "", "is missing"},
		{"event_id", `null`, "is missing"},
		{"event_id", `""`, "must not be empty"},
		{"event_id", `"   "`, "must not be empty"},
		{"deposit_id", "", "is missing"},
		{"deposit_id", `"a\u0000b"`, "holds a control character"},
		{"deposit_id", `"` + strings.Repeat("x", 5000) + `"`, "is longer than 255 bytes"},
		{"deposit_id", `" dep_1"`, "begins or ends with a blank"},
		{"payment_id", "", "is missing"},
		{"payment_id", `1.5`, "must be a string or an integer"},
		{"payment_id", `{}`, "must be a string or an integer"},
		{"payment_id", `"a\udc00"`, "holds a broken character"},
		{"status", "", "is missing"},
		{"status", `"Confirmed"`, "is not one of pending, confirmed, failed, expired, chargeback, paid, rejected"},
		{"status", `"other"`, "is not one of pending, confirmed, failed, expired, chargeback, paid, rejected"},
		{"status", `true`, "must be a string"},
		{"occurred_at", "", "is not an RFC 3339 time such as 2026-01-02T15:04:05Z"},
		{"occurred_at", `"yesterday"`, "is not an RFC 3339 time such as 2026-01-02T15:04:05Z"},
		{"occurred_at", `1772600767`, "must be a string"},
		{"occurred_at", `"9999-12-31T23:59:59-12:00"`, "is out of range"},
		{"occurred_at", `"0000-01-01T00:00:00Z"`, "is out of range"},
	} {
		_, err := dialect(t, "generic").Parse([]byte(genericBody(c.field, c.value)), received)
		require.Equal(t, &gateway.PayloadError{Field: c.field, Reason: c.reason}, err, "%s %.40s", c.field, c.value)
	}
}

func TestGenericParse_AcceptsTheEdges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ amount, currency, want string }{
		{"10", "EUR", "10.00000000"},
		{"10.0", "EUR", "10.00000000"},
		{"10.00000000000", "EUR", "10.00000000"},
		{"+0.01", "EUR", "0.01000000"},
		{"1000", "JPY", "1000.00000000"},
		{"1.234", "KWD", "1.23400000"},
		{"0.00000001", "USDT", "0.00000001"},
		{"9999999999.99", "EUR", "9999999999.99000000"},
	} {
		body := strings.Replace(genericBody("amount", `"`+c.amount+`"`), `"EUR"`, `"`+c.currency+`"`, 1)
		got, err := dialect(t, "generic").Parse([]byte(body), received)
		require.NoError(t, err, c.amount)
		require.Equal(t, c.want, got[0].Amount.String())
	}
	got, err := dialect(t, "generic").Parse([]byte(genericBody("deposit_id", `"`+strings.Repeat("x", 255)+`"`)), received)
	require.NoError(t, err)
	require.Len(t, got[0].DepositID, 255)
}

func TestGenericParse_AStatusNeedsOnlyWhatItIsAppliedBy(t *testing.T) {
	t.Parallel()
	const tail = `,"occurred_at":"2026-03-04T05:06:07Z"}`
	for _, c := range []struct{ body, missing string }{
		{`{"event_id":"e","status":"pending","deposit_id":"d"` + tail, ""},
		{`{"event_id":"e","status":"failed","deposit_id":"d","currency":"eur"` + tail, ""},
		{`{"event_id":"e","status":"expired","deposit_id":"d"` + tail, ""},
		{`{"event_id":"e","status":"expired","payment_id":"p"` + tail, "deposit_id"},
		{`{"event_id":"e","status":"chargeback","payment_id":"p","amount":"1","currency":"EUR"` + tail, ""},
		{`{"event_id":"e","status":"chargeback","deposit_id":"d","amount":"1","currency":"EUR"` + tail, "payment_id"},
		{`{"event_id":"e","status":"chargeback","payment_id":"p"` + tail, "amount"},
	} {
		_, err := dialect(t, "generic").Parse([]byte(c.body), received)
		if c.missing == "" {
			require.NoError(t, err, c.body)
			continue
		}
		require.Equal(t, &gateway.PayloadError{Field: c.missing, Reason: "is missing"}, err, c.body)
	}
}

func TestGenericParse_RefusesWhatIsNotOneStrictObject(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]*gateway.PayloadError{
		"":                            {Field: "body", Reason: "is not valid JSON"},
		"{":                           {Field: "body", Reason: "is not valid JSON"},
		"[]":                          {Field: "body", Reason: "is not a JSON object"},
		`{"amount":"1","amount":"2"}`: {Field: "amount", Reason: "stands twice"},
		"{\"a\":\"\xff\"}":            {Field: "body", Reason: "is not valid UTF-8"},
	} {
		_, err := dialect(t, "generic").Parse([]byte(body), received)
		require.Equal(t, want, err, body)
	}
}
