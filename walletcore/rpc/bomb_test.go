package rpc_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/broker"
	"github.com/walletctl/walletctl/walletcore/rpc"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// Whatever stands where an amount should, its call is malformed at once and
// costs little more than its own bytes, which a slow machine takes its time for.
// Not in parallel: it reads the memory of the process.
func TestRequest_NoAmountIsABomb(t *testing.T) {
	const patience, memory = 50 * time.Millisecond, 64 << 20
	for title, amount := range map[string]string{
		"exponent":             `"1E1000000000"`,
		"exponent of a number": `1E1000000000`,
		"negative exponent":    `"1e-400000000"`,
		"many digits":          `"` + strings.Repeat("9", 200_000) + `"`,
		"many zeros":           `"0.` + strings.Repeat("0", 200_000) + `1"`,
	} {
		body := []byte(`{"schema_version":1,"credit":{"deposit_id":"d-1","amount":` + amount + `}}`)
		var err error
		took, cost := wallettest.Cost(func() { _, err = rpc.ReadRequest(&broker.Delivery{Type: rpc.CreditKey, Body: body}) })
		require.Error(t, err, title)
		require.Less(t, len(err.Error()), 500, title)
		harmless := []byte(`{"note":"` + strings.Repeat("9", len(body)) + `"}`)
		plain, _ := wallettest.Cost(func() { _, _ = rpc.ReadRequest(&broker.Delivery{Type: rpc.CreditKey, Body: harmless}) })
		require.Less(t, took, patience+10*plain, title)
		require.Less(t, cost, uint64(memory), title)
	}
}
