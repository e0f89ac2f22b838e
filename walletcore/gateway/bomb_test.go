package gateway_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/gateway"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// Whatever stands where an amount should, its webhook is unreadable at once and
// costs little more than its own bytes, which a slow machine takes its time for.
// Not in parallel: it reads the memory of the process.
func TestParse_NoAmountIsABomb(t *testing.T) {
	const patience, memory = 50 * time.Millisecond, 64 << 20
	for title, amount := range map[string]string{
		"exponent":          "1E1000000000",
		"negative exponent": "1e-400000000",
		"many digits":       strings.Repeat("9", 200_000),
		"many zeros":        "0." + strings.Repeat("0", 200_000) + "1",
	} {
		for name, body := range map[string]string{
			"generic": genericBody("amount", `"`+amount+`"`),
			"stripe":  stripeEvent("payment_intent.succeeded", stripeIntent("amount_received", amount)),
		} {
			var err error
			took, cost := wallettest.Cost(func() { _, err = dialect(t, name).Parse([]byte(body), received) })
			var payload *gateway.PayloadError
			require.ErrorAs(t, err, &payload, "%s, %s", name, title)
			require.Less(t, len(err.Error()), 200)
			harmless := []byte(`{"note":"` + strings.Repeat("9", len(body)) + `"}`)
			plain, _ := wallettest.Cost(func() { _, _ = dialect(t, name).Parse(harmless, received) })
			require.Less(t, took, patience+10*plain, "%s, %s", name, title)
			require.Less(t, cost, uint64(memory), "%s, %s", name, title)
		}
	}
}
