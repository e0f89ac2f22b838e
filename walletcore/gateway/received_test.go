package gateway_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/gateway"
)

func TestReceived_IsReadInTheDialectThatTookItIn(t *testing.T) {
	t.Parallel()
	r := received
	r.Dialect, r.Body = "stripe", []byte(stripeEvent("payment_intent.succeeded", stripeIntent("x", "0")))
	got, err := r.Notifications()
	require.NoError(t, err)
	require.Equal(t, "pi_1", got[0].PaymentID)
	require.Equal(t, "stripe", got[0].Dialect)
	require.Equal(t, r.Body, got[0].Body)

	r.Dialect = "generic"
	_, err = r.Notifications()
	require.Equal(t, &gateway.PayloadError{Field: "event_id", Reason: "is missing"}, err)
}

func TestReceived_ADialectThatIsGoneIsSaid(t *testing.T) {
	t.Parallel()
	r := received
	r.Dialect = "retired"
	_, err := r.Notifications()
	require.Equal(t, &gateway.PayloadError{Field: "dialect", Reason: "is unknown to this version"}, err)
}
