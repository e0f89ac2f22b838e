package gateway_test

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/gateway"
)

// Whatever stands where an amount should, its webhook is unreadable at once and
// costs little more than its own bytes. Not in parallel: it reads the memory of
// the process.
func TestParse_NoAmountIsABomb(t *testing.T) {
	const patience, memory = 50 * time.Millisecond, 64 << 20
	for title, amount := range map[string]string{
		"exponent":          "1E1000000000",
		"negative exponent": "1e-400000000",
		"many digits":       strings.Repeat("9", 900_000),
		"many zeros":        "0." + strings.Repeat("0", 900_000) + "1",
	} {
		for name, body := range map[string]string{
			"generic": genericBody("amount", `"`+amount+`"`),
			"stripe":  stripeEvent("payment_intent.succeeded", stripeIntent("amount_received", amount)),
		} {
			took, cost := time.Hour, uint64(0)
			for range 5 { // the machine may be busy once
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				began := time.Now()
				_, err := dialect(t, name).Parse([]byte(body), received)
				took = min(took, time.Since(began))
				runtime.ReadMemStats(&after)
				cost = after.TotalAlloc - before.TotalAlloc
				var payload *gateway.PayloadError
				require.ErrorAs(t, err, &payload, "%s, %s", name, title)
				require.Less(t, len(err.Error()), 200)
			}
			require.Less(t, took, patience, "%s, %s", name, title)
			require.Less(t, cost, uint64(memory), "%s, %s", name, title)
		}
	}
}
