package provider_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/provider"
)

func FuzzStandard(f *testing.F) {
	f.Add("bet", standardBody(`"transaction_id":7328334202200869666,"amount":"1e5"`))
	f.Add("betwin", standardBody(`"bet":{"transaction_id":"a","amount":"1"},"win":{"transaction_id":"a","amount":"0.00000000000000000000000"}`))
	f.Add("refund", standardBody(`"bet_id":"a","amount":"-1"`))
	f.Add("win", standardBody(`"transaction_id":"a","amount":"1","bet_id":"a"`))
	f.Fuzz(func(t *testing.T, operation, body string) { fuzz(t, "standard", operation, body) })
}

func FuzzProcess(f *testing.F) {
	f.Add("process", processBody(`{"action":"bet","action_id":"a1","amount":100},{"action":"rollback","action_id":"r","original_action_id":"a1","amount":-1}`))
	f.Add("process", processBody(`{"action":"win","action_id":-9223372036854774253,"amount":9223372036854775807}`))
	f.Add("process", `{"user_id":"a","currency":"EUR","actions":null}`)
	f.Fuzz(func(t *testing.T, operation, body string) { fuzz(t, "process", operation, body) })
}

func FuzzSoftswiss(f *testing.F) {
	f.Add("betwin", softswissBody(`{"id_provider":"x1","type":"bet","amount":"5.00"},{"id_provider":"x2","type":"win","amount":"0.90"}`))
	f.Add("rollback", softswissBody(`{"id_provider":"k","type":"rollback","original_id_provider":"x4"}`))
	f.Add("finish", softswissBody(``))
	f.Fuzz(func(t *testing.T, operation, body string) { fuzz(t, "softswiss", operation, body) })
}

func FuzzSubunits(f *testing.F) {
	f.Add("bet", subunitsBody(`"transaction_id":"t1","amount":1234,"round_id":"r"`))
	f.Add("refund", subunitsBody(`"transaction_id":"t1","refunded_transaction_id":"t1","amount":-1`))
	f.Fuzz(func(t *testing.T, operation, body string) { fuzz(t, "subunits", operation, body) })
}

// fuzz sends a signed body and holds what the wallet relies on: ids within
// bounds behind the namespace, amounts in range and never negative, the brand
// of the profile; and that whatever came is answered, never as an outage.
func fuzz(t *testing.T, dialect, operation, body string) {
	if strings.ContainsFunc(operation, func(r rune) bool { return r < 'a' || r > 'z' }) {
		return
	}
	d := newDoor(t, dialect, "1000")
	status, answer := d.send(operation, body, signed(dialect, body))
	require.Less(t, status, 500, answer)
	for _, request := range d.wallet.requests {
		require.NoError(t, request.Wallet.Validate())
		require.Equal(t, "acme", request.Wallet.Brand)
		require.LessOrEqual(t, len(request.Actions), provider.MaxActions)
		for _, action := range request.Actions {
			require.True(t, action.Amount.Sign() >= 0 && action.Amount.InRange())
			for _, id := range append(action.Bets, action.ID, action.Reference, action.RoundID) {
				if id != "" {
					require.True(t, strings.HasPrefix(id, "games:"))
					require.NoError(t, walletcore.CheckID("id", id, walletcore.MaxExternalID))
					require.False(t, strings.ContainsFunc(id, unicode.IsControl))
				}
			}
			require.NotEmpty(t, action.ID)
		}
	}
}
