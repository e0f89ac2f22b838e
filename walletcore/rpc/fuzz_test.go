package rpc_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/broker"
	"github.com/walletctl/walletctl/walletcore/rpc"
)

// FuzzRequest: what is read as a call can be judged by the ledger's own rules,
// without a panic.
func FuzzRequest(f *testing.F) {
	f.Add(rpc.CreditKey, []byte(`{"schema_version":1,"credit":{"deposit_id":"d-1","wallet":{"brand":"acme","user":"u-1","currency":"EUR"},`+
		`"amount":"50.00","occurred_at":"2026-03-04T05:06:07Z"}}`))
	f.Fuzz(func(t *testing.T, kind string, body []byte) {
		credit, err := rpc.ReadRequest(&broker.Delivery{Type: kind, Body: body})
		if err != nil {
			require.Less(t, len(err.Error()), 4096+len(body))
			return
		}
		require.Equal(t, rpc.CreditKey, kind)
		var field *walletcore.FieldError
		if err := credit.Validate(); err != nil {
			require.ErrorAs(t, err, &field)
			return
		}
		require.True(t, credit.Amount.Sign() > 0 && credit.Amount.InRange())
	})
}

// FuzzReply: an answer is a receipt, a refusal with its reason, or an unknown
// outcome, which is asked for again.
func FuzzReply(f *testing.F) {
	f.Add([]byte(`{"schema_version":1,"outcome":"refused","refused":{"code":"frozen","detail":"x"}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		posted, err := rpc.ReadReply(body)
		if err == nil {
			require.True(t, posted.Receipt.RealAfter.InRange() && posted.Receipt.RealBefore.InRange())
			return
		}
		var (
			unknown  *rpc.UnknownOutcomeError
			conflict *walletcore.ConflictError
			refused  *walletcore.RefusedError
			field    *walletcore.FieldError
			retry    *rpc.RetryError
		)
		require.True(t, errors.As(err, &unknown) || errors.As(err, &conflict) || errors.As(err, &refused) ||
			errors.As(err, &field) || errors.As(err, &retry), "%T", err)
	})
}
