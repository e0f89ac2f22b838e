package gateway_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzSigned: a webhook of which one byte was changed, added or taken away
// after it was signed is refused.
func FuzzSigned(f *testing.F) {
	f.Add([]byte(genericBody("x", "null")), uint(30), byte(1))
	f.Add([]byte(`{"id":"evt_1"}`), uint(0), byte('{'))
	f.Fuzz(func(t *testing.T, body []byte, at uint, change byte) {
		if len(body) == 0 {
			return
		}
		for name, header := range map[string]http.Header{
			"generic": headers("X-Signature", sum(secret, string(body))),
			"stripe":  headers("Stripe-Signature", stripeHeaderOf(now, secret, body)),
		} {
			d := dialect(t, name)
			require.NoError(t, d.Verify(header, body, secrets, now))
			for _, other := range mutations(body, at, change) {
				require.Error(t, d.Verify(header, other, secrets, now), "%s %q", name, other)
			}
		}
	})
}

// mutations are a body with one byte changed, added and taken away.
func mutations(body []byte, at uint, change byte) [][]byte {
	i := int(at % uint(len(body)))
	changed := append([]byte(nil), body...)
	changed[i] ^= max(change, 1)
	added := append(append(append([]byte(nil), body[:i]...), change), body[i:]...)
	taken := append(append([]byte(nil), body[:i]...), body[i+1:]...)
	return [][]byte{changed, added, taken, append(append([]byte(nil), body...), '\n')}
}
