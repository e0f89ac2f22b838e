package rpc_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/broker"
	"github.com/walletctl/walletctl/walletcore/rpc"
)

// judge is a wallet that only judges orders.
type judge struct{}

func (judge) CreditDeposit(_ context.Context, c walletcore.DepositCredit) (walletcore.Posted, error) {
	return walletcore.Posted{}, judged(&c, c.Amount)
}

func (judge) DebitWithdrawal(_ context.Context, o walletcore.WithdrawalOrder) (walletcore.Withdrawn, error) {
	return walletcore.Withdrawn{}, judged(&o, o.Amount)
}

func (judge) ReverseWithdrawal(_ context.Context, o walletcore.WithdrawalOrder) (walletcore.Withdrawn, error) {
	return walletcore.Withdrawn{}, judged(&o, o.Amount)
}

func (judge) ChangeBonus(_ context.Context, c walletcore.BonusChange) (walletcore.Posted, error) {
	return walletcore.Posted{}, judged(&c, c.Amount)
}

var errBadAmount = errors.New("an amount was let through")

func judged(order interface{ Validate() error }, amount walletcore.Money) error {
	if err := order.Validate(); err != nil {
		return err
	}
	if amount.Sign() <= 0 || !amount.InRange() {
		return errBadAmount
	}
	return nil
}

// FuzzRequest: what is read as a call can be judged by the ledger's own rules,
// without a panic.
func FuzzRequest(f *testing.F) {
	f.Add(rpc.CreditKey, []byte(`{"schema_version":1,"credit":{"deposit_id":"d-1","wallet":{"brand":"acme","user":"u-1","currency":"EUR"},`+
		`"amount":"50.00","occurred_at":"2026-03-04T05:06:07Z"}}`))
	f.Add(rpc.DebitKey, []byte(`{"schema_version":1,"withdrawal":{"withdrawal_id":"w-1","wallet":{"brand":"acme","user":"u-1",`+
		`"currency":"EUR"},"amount":"50.00","occurred_at":"2026-03-04T05:06:07Z"}}`))
	f.Add(rpc.BonusKey, []byte(`{"schema_version":1,"bonus":{"bonus_id":"b-1","kind":"bonus_grant","wallet":{"brand":"acme",`+
		`"user":"u-1","currency":"EUR"},"amount":"0.00000001","occurred_at":"2026-03-04T05:06:07Z"}}`))
	f.Fuzz(func(t *testing.T, kind string, body []byte) {
		call, err := rpc.ReadRequest(&broker.Delivery{Type: kind, Body: body})
		if err != nil {
			require.Less(t, len(err.Error()), 4096+len(body))
			return
		}
		require.Contains(t, []string{rpc.CreditKey, rpc.DebitKey, rpc.ReverseKey, rpc.BonusKey}, kind)
		if _, err := call.Post(t.Context(), judge{}); err != nil {
			var field *walletcore.FieldError
			require.ErrorAs(t, err, &field)
		}
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
