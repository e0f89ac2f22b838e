package gateway_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/gateway"
)

// FuzzVerify: no header that was not made with a secret opens the door, and
// none stops it from answering.
func FuzzVerify(f *testing.F) {
	body := []byte(`{"amount":"1.00"}`)
	good := map[string]string{
		"X-Signature":      sum(secret, string(body)),
		"Stripe-Signature": stripeHeaderOf(now, secret, body),
	}
	for _, header := range good {
		f.Add(header)
		f.Add(header[:len(header)-1])
	}
	f.Add("sha256=" + strings.Repeat("0", 64))
	f.Add("t=1772600767,v1=" + strings.Repeat("0", 64) + ",v0=,v1")
	f.Fuzz(func(t *testing.T, header string) {
		for name, signed := range good {
			d := dialect(t, map[string]string{"X-Signature": "generic", "Stripe-Signature": "stripe"}[name])
			digest := signed[len(signed)-64:]
			err := d.Verify(headers(name, header), body, [][]byte{secret}, now)
			if err == nil {
				require.Contains(t, strings.ToLower(header), digest)
				continue
			}
			require.True(t, knownSignatureError(err), err)
		}
	})
}

func knownSignatureError(err error) bool {
	switch err {
	case gateway.ErrSignatureMissing, gateway.ErrSignatureRepeated, gateway.ErrSignatureMalformed,
		gateway.ErrSignatureMismatch, gateway.ErrSignatureStale:
		return true
	}
	return false
}

func FuzzGenericParse(f *testing.F) {
	f.Add([]byte(genericBody("x", "null")))
	f.Add([]byte(genericBody("amount", `"1e5"`)))
	f.Add([]byte(genericBody("payment_id", "7328334202200869666")))
	f.Fuzz(func(t *testing.T, body []byte) { checkParse(t, "generic", body) })
}

func FuzzStripeParse(f *testing.F) {
	f.Add([]byte(stripeEvent("payment_intent.succeeded", stripeIntent("x", "1.5e-7"))))
	f.Add([]byte(stripeEvent("payment_intent.succeeded", stripeIntent("amount_received", "-1"))))
	f.Add([]byte(stripeEvent("checkout.session.completed", `{"object":"checkout.session","payment_status":"unpaid"}`)))
	f.Add([]byte(stripeEvent("charge.dispute.created", `{"object":"dispute","charge":"ch","amount":1,"currency":"isk"}`)))
	f.Fuzz(func(t *testing.T, body []byte) { checkParse(t, "stripe", body) })
}

// checkParse holds what every reader of notifications relies on.
func checkParse(t *testing.T, name string, body []byte) {
	got, err := dialect(t, name).Parse(body, received)
	if err != nil {
		var payload *gateway.PayloadError
		require.ErrorAs(t, err, &payload)
		require.Empty(t, got)
		return
	}
	for _, n := range got {
		require.Equal(t, "acme", n.Brand)
		require.NotEmpty(t, n.EventID)
		require.False(t, n.OccurredAt.IsZero())
		for _, id := range []string{n.EventID, n.EventType, n.DepositID, n.PaymentID} {
			require.LessOrEqual(t, len(id), walletcore.MaxGivenID)
			require.False(t, strings.ContainsFunc(id, unicode.IsControl))
		}
		if n.Status == walletcore.PaymentConfirmed || n.Status == walletcore.PaymentChargeback {
			require.NotEmpty(t, n.PaymentID)
			require.NoError(t, walletcore.CheckPayable(n.Amount, n.Currency))
		}
	}
}
