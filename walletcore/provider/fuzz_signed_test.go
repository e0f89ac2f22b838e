package provider_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/provider"
)

// FuzzSigned: a body of which one byte was changed, added or taken away after
// it was signed is refused, before it is parsed, and reaches no wallet.
func FuzzSigned(f *testing.F) {
	for _, call := range calls {
		f.Add([]byte(call[1]), uint(20), byte(1))
	}
	f.Fuzz(func(t *testing.T, body []byte, at uint, change byte) {
		if len(body) == 0 || len(body) >= provider.MaxBody {
			return
		}
		for _, dialect := range provider.DialectNames() {
			header := signed(dialect, string(body))
			d := newDoor(t, dialect, "1000")
			for _, other := range mutations(body, at, change) {
				status, answer := d.send(calls[dialect][0], string(other), header)
				require.Equal(t, refusedStatus[dialect], status, "%s %q: %s", dialect, other, answer)
			}
			for _, reason := range d.seen {
				require.Equal(t, provider.BadSignature, reason)
			}
			require.Empty(t, d.wallet.requests)
			status, answer := d.send(calls[dialect][0], string(body), header)
			require.Less(t, status, http.StatusInternalServerError, answer)
			require.NotContains(t, d.seen[len(d.seen)-1:], provider.BadSignature, "as it was signed")
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
