package provider_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
)

func subunitsBody(rest string) string {
	return `{"player_id":"u-1","currency_code":"EUR","token":"tok",` + rest + `}`
}

func TestSubunits_Contract(t *testing.T) {
	t.Parallel()
	d := newDoor(t, "subunits", "100")
	d.want("balance", `{"player_id":"u-1","currency_code":"EUR","token":"tok"}`, 200, `{"balance":10000,"token":"tok"}`)
	bet := subunitsBody(`"transaction_id":"t1","amount":1234,"round_id":"r"`)
	d.want("bet", bet, 200, `{"transaction_id":"§1","balance":8766,"token":"tok"}`)
	d.want("win", subunitsBody(`"transaction_id":"t1","amount":34`), 200, `{"transaction_id":"§2","balance":8800,"token":"tok"}`)
	// A duplicate: its id of the first time, the current balance.
	d.want("bet", bet, 200, `{"transaction_id":"§1","balance":8800,"token":"tok"}`)
	// The refund has the bet's own id, and an amount of another sign.
	refund := subunitsBody(`"transaction_id":"t1","refunded_transaction_id":"t1","amount":-1`)
	for range 2 {
		d.want("refund", refund, 200, `{"transaction_id":"§3","balance":10034,"token":"tok"}`)
	}
	require.True(t, d.wallet.requests[3].Actions[0].Amount.IsZero())
	unknown := subunitsBody(`"transaction_id":"r9","refunded_transaction_id":"t9"`)
	for range 2 {
		d.want("refund", unknown, 406, `{"code":406,"message":"there is nothing under this id that could be rolled back"}`)
	}
	d.want("bet", subunitsBody(`"transaction_id":"t9","amount":1`), 408, `{"code":408,"message":"it was rolled back before"}`)
	d.want("bet", subunitsBody(`"transaction_id":"t5","amount":99999999`), 402, `{"code":402,"message":"the balance does not cover it"}`)
	d.want("bet", subunitsBody(`"transaction_id":"t1","amount":1`), 400, `{"code":400,"message":"this id exists with another amount"}`)
	d.want("bet", subunitsBody(`"transaction_id":"t6","amount":-25`), 400, `{"code":400,"message":"amount must not be negative"}`)
	d.want("jackpot", subunitsBody(`"amount":1`), 404, `{"code":404,"message":"there is no such operation"}`)
	d.wallet.refusal = walletcore.RefusedFrozen
	d.want("bet", subunitsBody(`"transaction_id":"t7","amount":1`), 407, `{"code":407,"message":"the player may not bet"}`)
	d.wallet.refusal = walletcore.RefusedOverflow
	d.want("win", subunitsBody(`"transaction_id":"t8","amount":1`), 408, `{"code":408,"message":"the balance would be out of range"}`)
	d.wallet.err = errOut
	d.want("bet", bet, 503, `{"code":503,"message":"it could not be done now, or its outcome is unknown; send the same call again"}`)
}
