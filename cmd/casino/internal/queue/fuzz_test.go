package queue_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/casino/internal/queue"
	"github.com/walletctl/walletctl/walletcore/broker"
	"github.com/walletctl/walletctl/walletcore/gateway"
)

// FuzzReceived: a message counts only with casino's own name on it and all of
// its headers, and says then what they say.
func FuzzReceived(f *testing.F) {
	f.Add("casino", "pix", "acme-main", "acme", "generic", "2026-11-01T12:00:00.000123Z", []byte(confirmed))
	f.Fuzz(func(t *testing.T, user, name, account, brand, dialect, at string, body []byte) {
		r, err := queue.ReceivedFrom(broker.Delivery{
			ID: "m-1", UserID: user, Body: body,
			Headers: map[string]any{
				"x-gateway": name, "x-account": account, "x-brand": brand, "x-dialect": dialect, "x-received-at": at,
			},
		}, "casino")
		if err != nil {
			return
		}
		require.Equal(t, "casino", user)
		require.True(t, name != "" && account != "" && brand != "" && dialect != "")
		want, err := time.Parse(time.RFC3339Nano, at)
		require.NoError(t, err)
		require.Equal(t, gateway.Received{
			MessageID: "m-1", Gateway: name, Account: account, Brand: brand, Dialect: dialect, ReceivedAt: want, Body: body,
		}, r)
		notifications, err := r.Notifications()
		for _, n := range notifications {
			require.NoError(t, err)
			require.Equal(t, brand, n.Brand)
		}
	})
}

// A header of another type, such as a number or a table, is a missing one.
func TestReceived_HeadersAreTexts(t *testing.T) {
	t.Parallel()
	for _, odd := range []any{nil, 7, int64(7), true, []byte("acme"), map[string]any{"a": "b"}, []any{"acme"}, ""} {
		for _, name := range []string{"x-gateway", "x-account", "x-brand", "x-dialect", "x-received-at"} {
			headers := map[string]any{
				"x-gateway": "pix", "x-account": "a", "x-brand": "acme", "x-dialect": "generic", "x-received-at": "2026-11-01T12:00:00Z",
			}
			headers[name] = odd
			_, err := queue.ReceivedFrom(broker.Delivery{UserID: "casino", Headers: headers}, "casino")
			require.ErrorContains(t, err, name)
		}
	}
}
