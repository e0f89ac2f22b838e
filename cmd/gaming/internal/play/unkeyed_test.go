package play_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/provider"
)

const messageHeader = "X-Request-Id"

func listed(until time.Time) func(*provider.ProfileOptions) {
	return func(o *provider.ProfileOptions) {
		o.Unkeyed = &provider.Unkeyed{Until: until, MessageIDHeader: messageHeader}
	}
}

// withoutID is a bet of 1 or a win of 2 whose producer gives it no id.
func withoutID(name string, kind provider.Kind) (operation, body string) {
	amount := map[provider.Kind]string{provider.Bet: "1", provider.Win: "2"}[kind]
	switch dialectOf(name) {
	case "standard":
		return string(kind), standard(`"amount":"` + amount + `"`)
	case "process":
		return "process", process(fmt.Sprintf(`{"action":%q,"amount":%s00}`, kind, amount))
	case "softswiss":
		return "betwin", softswiss(fmt.Sprintf(`{"type":%q,"amount":%q}`, kind, amount))
	}
	return string(kind), subunits(`"amount":` + amount + `00`)
}

// sayUnkeyed sends it under the id of a message.
func (b *bench) sayUnkeyed(name, message string, kind provider.Kind) answer {
	b.t.Helper()
	operation, body := withoutID(name, kind)
	return b.callWith(name, operation, body, http.Header{messageHeader: {message}})
}

// The same message at once, later and again is one movement; two messages with
// equal content are two.
func TestUnkeyed_AMessageMovesOnce(t *testing.T) {
	t.Parallel()
	eachDialect(t, "", func(t *testing.T, name string) {
		b := newBench(t, listed(time.Now().Add(time.Hour)))
		b.fund("100")
		for _, kind := range []provider.Kind{provider.Bet, provider.Win} {
			var group sync.WaitGroup
			for i := range 8 {
				group.Go(func() { b.sayUnkeyed(name, fmt.Sprint("m", i%2), kind) })
			}
			group.Wait()
			for i := range 2 {
				require.Equal(t, 200, b.sayUnkeyed(name, fmt.Sprint("m", i), kind).status)
			}
		}
		b.requireBalance("102")
		require.Equal(t, 4, b.count(`select count(*) from gaming.entries where external_id ~ ('^' || $1 || ':unkeyed:[0-9a-f]{64}$')`, name))
		b.sayUnkeyed(name+"2", "m0", provider.Bet)
		b.requireBalance("101")
	})
}

func TestUnkeyed_ARefusalLeavesNothing(t *testing.T) {
	t.Parallel()
	eachDialect(t, "", func(t *testing.T, name string) {
		b := newBench(t, listed(time.Now().Add(time.Hour)))
		b.fund("0.50")
		got := b.sayUnkeyed(name, "m", provider.Bet)
		require.True(t, got.status >= 400 && got.status < 500, got.text)
		b.sayUnkeyed(name, "w", provider.Win)
		require.Equal(t, 200, b.sayUnkeyed(name, "m", provider.Bet).status)
		b.requireBalance("1.50")
	})
}

func TestUnkeyed_TheDeadlineEndsItAndNotItsResends(t *testing.T) {
	t.Parallel()
	eachDialect(t, "", func(t *testing.T, name string) {
		until := time.Now().Add(time.Hour)
		b := newBench(t, listed(until))
		b.fund("100")
		require.Equal(t, 200, b.sayUnkeyed(name, "m", provider.Bet).status)
		b.now = until.Add(time.Minute)
		require.Equal(t, 400, b.sayUnkeyed(name, "late", provider.Bet).status)
		require.Equal(t, 200, b.sayUnkeyed(name, "m", provider.Bet).status)
		require.Equal(t, 400, b.sayUnkeyed(name, "m", provider.Win).status)
		b.requireBalance("99")
	})
}

// What the answer names can be given back, once.
func TestUnkeyed_ARefundMayNameWhatItWasTold(t *testing.T) {
	t.Parallel()
	b := newBench(t, listed(time.Now().Add(time.Hour)))
	b.fund("100")
	told := b.sayUnkeyed("standard", "m", provider.Bet).body["transactions"].([]any)[0].(map[string]any)["transaction_id"]
	for range 2 {
		b.ok("standard", "refund", standard(fmt.Sprintf(`"bet_id":%q`, told)))
	}
	b.requireBalance("100")
	b.sayUnkeyed("standard", "m", provider.Bet)
	b.requireBalance("100")
}
