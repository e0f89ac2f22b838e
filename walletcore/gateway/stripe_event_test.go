package gateway_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/gateway"
)

func stripeEvent(kind, object string) string {
	return fmt.Sprintf(`{"id":"evt_1","object":"event","api_version":"2025-01-27.acacia","created":1772600767,
		"type":%q,"livemode":true,"data":{"object":%s}}`, kind, object)
}

func TestStripeParse_ReadsEachEvent(t *testing.T) {
	t.Parallel()
	const (
		session = `{"object":"checkout.session","id":"cs_1","client_reference_id":"dep_1","payment_intent":"pi_1",
			"payment_status":"%s","amount_total":5000,"currency":"eur","metadata":{}}`
		intent = `{"object":"payment_intent","id":"pi_1","amount":5000,"amount_received":5000,"currency":"eur",
			"metadata":{"deposit_id":"dep_1"},"application_fee_rate":1.25e-05}`
		charge = `{"object":"charge","id":"ch_1","payment_intent":"pi_1","amount":5000,"amount_refunded":2500,
			"currency":"eur","metadata":{"deposit_id":"dep_1"}}`
		dispute = `{"object":"dispute","id":"dp_1","charge":"ch_1","payment_intent":"pi_1","amount":5000,
			"currency":"eur","metadata":{}}`
	)
	paid := fmt.Sprintf(session, "paid")
	for _, c := range []struct {
		kind, object string
		status       walletcore.PaymentStatus
		deposit      string
		amount       string
	}{
		{"checkout.session.completed", paid, walletcore.PaymentConfirmed, "dep_1", "50"},
		{"checkout.session.completed", fmt.Sprintf(session, "unpaid"), walletcore.PaymentPending, "dep_1", ""},
		{"checkout.session.completed", fmt.Sprintf(session, "no_payment_required"), walletcore.PaymentOther, "dep_1", ""},
		{"checkout.session.async_payment_succeeded", paid, walletcore.PaymentConfirmed, "dep_1", "50"},
		{"checkout.session.async_payment_failed", paid, walletcore.PaymentFailed, "dep_1", ""},
		{"checkout.session.expired", paid, walletcore.PaymentExpired, "dep_1", ""},
		{"payment_intent.succeeded", intent, walletcore.PaymentConfirmed, "dep_1", "50"},
		{"payment_intent.processing", intent, walletcore.PaymentPending, "dep_1", ""},
		{"payment_intent.payment_failed", intent, walletcore.PaymentFailed, "dep_1", ""},
		{"payment_intent.canceled", intent, walletcore.PaymentFailed, "dep_1", ""},
		{"charge.refunded", charge, walletcore.PaymentChargeback, "dep_1", "25"},
		{"charge.dispute.created", dispute, walletcore.PaymentChargeback, "", "50"},
	} {
		body := []byte(stripeEvent(c.kind, c.object))
		got, err := dialect(t, "stripe").Parse(body, received)
		require.NoError(t, err, c.kind)
		want := walletcore.Notification{
			MessageID: "0195-message", Gateway: "pix", Account: "acme-br", Dialect: "generic", Brand: "acme",
			EventID: "evt_1", EventType: c.kind, DepositID: c.deposit, PaymentID: "pi_1", Status: c.status,
			OccurredAt: time.Unix(1772600767, 0).UTC(), ReceivedAt: now, Body: body,
		}
		if c.amount != "" {
			want.Amount, want.Currency = walletcore.MustParseMoney(c.amount), "EUR"
		}
		require.Empty(t, cmp.Diff([]walletcore.Notification{want}, got, byValue), c.kind)
	}
}

func TestStripeParse_OtherEventsAreKept(t *testing.T) {
	t.Parallel()
	for _, object := range []string{`{"object":"charge","amount":1e400}`, `{}`, `null`, `[]`} {
		got, err := dialect(t, "stripe").Parse([]byte(stripeEvent("charge.succeeded", object)), received)
		require.NoError(t, err)
		require.Equal(t, walletcore.PaymentOther, got[0].Status)
		require.Equal(t, "evt_1", got[0].EventID)
		require.Empty(t, got[0].DepositID)
	}
}

func TestStripeParse_MetadataNamesTheDepositBeforeTheClientReference(t *testing.T) {
	t.Parallel()
	const object = `{"object":"checkout.session","payment_status":"paid","payment_intent":"pi_1","amount_total":100,
		"currency":"eur","client_reference_id":%s,"metadata":%s}`
	for _, c := range []struct{ reference, metadata, want string }{
		{`"dep_1"`, `{"deposit_id":"dep_2"}`, "dep_2"},
		{`"dep_1"`, `{"other":"x"}`, "dep_1"},
		{`"dep_1"`, `null`, "dep_1"},
		{`null`, `{}`, ""},
	} {
		body := stripeEvent("checkout.session.completed", fmt.Sprintf(object, c.reference, c.metadata))
		got, err := dialect(t, "stripe").Parse([]byte(body), received)
		require.NoError(t, err)
		require.Equal(t, c.want, got[0].DepositID)
	}
}

// stripeIntent is a succeeded intent with one field set to a JSON text.
func stripeIntent(field, value string) string {
	object := `{"object":"payment_intent","id":"pi_1","amount_received":5000,"currency":"eur","metadata":{"deposit_id":"d"}`
	for _, known := range []string{`"object":"payment_intent"`, `"id":"pi_1"`, `"amount_received":5000`, `"currency":"eur"`, `"metadata":{"deposit_id":"d"}`} {
		if strings.HasPrefix(known, `"`+field+`":`) {
			if value == "" {
				return strings.Replace(object, known, `"x":0`, 1) + "}"
			}
			return strings.Replace(object, known, `"`+field+`":`+value, 1) + "}"
		}
	}
	return object + `,"` + field + `":` + value + "}"
}

func TestStripeParse_RefusesAndNamesTheField(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ field, value, reason string }{
		{"amount_received", "", "is missing"},
		{"amount_received", `"5000"`, "must be an integer"},
		{"amount_received", `5e3`, "must be an integer"},
		{"amount_received", `5000.0`, "must be an integer"},
		{"amount_received", `1E1000000000`, "must be an integer"},
		{"amount_received", strings.Repeat("9", 900_000), "is out of range"},
		{"amount_received", `9223372036854775808`, "is out of range"},
		{"amount_received", `9223372036854775807`, "is out of range: at most 10 digits before the point"},
		{"amount_received", `1000000000000`, "is out of range: at most 10 digits before the point"},
		{"amount_received", `-9223372036854775808`, "must be greater than zero"},
		{"amount_received", `-5000`, "must be greater than zero"},
		{"amount_received", `0`, "must be greater than zero"},
		{"currency", "", "must be a code such as eur"},
		{"currency", `"e"`, "must be a code such as eur"},
		{"currency", `1`, "must be a string"},
		{"id", "", "is missing"},
		{"id", `"pi\u0000"`, "holds a control character"},
		{"id", `["pi_1"]`, "must be a string or an integer"},
		{"metadata", `[]`, "must be an object"},
		{"object", `"charge"`, "is not payment_intent"},
		{"object", "", "is not payment_intent"},
	} {
		field := "data.object." + c.field
		if c.field == "id" && c.value == "" {
			field = "data.object.payment_intent"
		}
		_, err := dialect(t, "stripe").Parse([]byte(stripeEvent("payment_intent.succeeded", stripeIntent(c.field, c.value))), received)
		require.Equal(t, &gateway.PayloadError{Field: field, Reason: c.reason}, err, "%s %.40s", c.field, c.value)
	}
}

func TestStripeParse_RefusesADuplicateKeyWhereverItStands(t *testing.T) {
	t.Parallel()
	body := stripeEvent("payment_intent.succeeded", stripeIntent("amount_received", `1,"amount_received":5000`))
	_, err := dialect(t, "stripe").Parse([]byte(body), received)
	require.Equal(t, &gateway.PayloadError{Field: "data.object.amount_received", Reason: "stands twice"}, err)
}

func TestStripeParse_RefusesWhatIsNoEvent(t *testing.T) {
	t.Parallel()
	for body, field := range map[string]string{
		`{`:                                      "body",
		`{"object":"v2.core.event"}`:             "object",
		`{"object":"event"}`:                     "id",
		`{"object":"event","id":"e"}`:            "type",
		`{"object":"event","id":"e","type":"t"}`: "created",
		`{"object":"event","id":"e","type":"t","created":-1}`:                       "created",
		`{"object":"event","id":"e","type":"t","created":"2026-01-02"}`:             "created",
		`{"object":"event","id":"e","type":"charge.refunded","created":1}`:          "data.object.object",
		`{"object":"event","id":"e","type":"charge.refunded","created":1,"data":7}`: "data",
	} {
		_, err := dialect(t, "stripe").Parse([]byte(body), received)
		var payload *gateway.PayloadError
		require.ErrorAs(t, err, &payload, body)
		require.Equal(t, field, payload.Field, body)
	}
}

func TestStripeParse_AmountsAreInStripesOwnUnit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		currency, minor, want, reason string
	}{
		{"eur", "1234", "12.34", ""},
		{"jpy", "1000", "1000", ""},
		{"krw", "1000", "1000", ""},
		{"mga", "1000", "1000", ""},
		{"kwd", "1234", "1.234", ""},
		{"tnd", "1230", "1.23", ""},
		{"isk", "50000", "500", ""},
		{"ugx", "50000", "500", ""},
		{"isk", "50050", "", "is finer than the smallest unit of ISK"},
		{"ugx", "1", "", "is finer than the smallest unit of UGX"},
		{"huf", "10045", "100.45", ""},
		{"twd", "80045", "800.45", ""},
		{"eur", "999999999999", "9999999999.99", ""},
		{"jpy", "9999999999", "9999999999", ""},
		{"jpy", "10000000000", "", "is out of range: at most 10 digits before the point"},
	} {
		object := strings.Replace(stripeIntent("currency", `"`+c.currency+`"`), ":5000", ":"+c.minor, 1)
		got, err := dialect(t, "stripe").Parse([]byte(stripeEvent("payment_intent.succeeded", object)), received)
		if c.reason != "" {
			require.Equal(t, &gateway.PayloadError{Field: "data.object.amount_received", Reason: c.reason}, err)
			continue
		}
		require.NoError(t, err, c.currency)
		require.Equal(t, walletcore.MustParseMoney(c.want), got[0].Amount, c.currency)
		require.Equal(t, strings.ToUpper(c.currency), got[0].Currency)
	}
}

func TestStripeParse_TheTwoEventsOfOnePaymentAreOnePayment(t *testing.T) {
	t.Parallel()
	session := stripeEvent("checkout.session.completed", `{"object":"checkout.session","id":"cs_1","payment_status":"paid",
		"payment_intent":"pi_1","amount_total":5000,"currency":"eur","client_reference_id":"d"}`)
	intent := stripeEvent("payment_intent.succeeded", stripeIntent("x", "0"))
	a, err := dialect(t, "stripe").Parse([]byte(session), received)
	require.NoError(t, err)
	b, err := dialect(t, "stripe").Parse([]byte(intent), received)
	require.NoError(t, err)
	require.Equal(t, a[0].PaymentID, b[0].PaymentID)
}

func TestStripeParse_APaidSessionWithoutAPaymentIsRefused(t *testing.T) {
	t.Parallel()
	body := stripeEvent("checkout.session.completed", `{"object":"checkout.session","payment_status":"paid",
		"payment_intent":null,"amount_total":5000,"currency":"eur","client_reference_id":"d"}`)
	_, err := dialect(t, "stripe").Parse([]byte(body), received)
	require.Equal(t, &gateway.PayloadError{Field: "data.object.payment_intent", Reason: "is missing"}, err)
}
