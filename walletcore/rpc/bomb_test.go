package rpc_test

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/broker"
	"github.com/walletctl/walletctl/walletcore/rpc"
)

// Whatever stands where an amount should, its call is malformed at once and
// costs little more than its own bytes. Not in parallel: it reads the memory of
// the process.
func TestRequest_NoAmountIsABomb(t *testing.T) {
	const patience, memory = 50 * time.Millisecond, 64 << 20
	for title, amount := range map[string]string{
		"exponent":             `"1E1000000000"`,
		"exponent of a number": `1E1000000000`,
		"negative exponent":    `"1e-400000000"`,
		"many digits":          `"` + strings.Repeat("9", 900_000) + `"`,
		"many zeros":           `"0.` + strings.Repeat("0", 900_000) + `1"`,
	} {
		body := []byte(`{"schema_version":1,"credit":{"deposit_id":"d-1","amount":` + amount + `}}`)
		took, cost := time.Hour, uint64(0)
		for range 5 { // the machine may be busy once
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			began := time.Now()
			_, err := rpc.ReadRequest(&broker.Delivery{Type: rpc.CreditKey, Body: body})
			took = min(took, time.Since(began))
			runtime.ReadMemStats(&after)
			cost = after.TotalAlloc - before.TotalAlloc
			require.Error(t, err, title)
			require.Less(t, len(err.Error()), 500, title)
		}
		require.Less(t, took, patience, title)
		require.Less(t, cost, uint64(memory), title)
	}
}
