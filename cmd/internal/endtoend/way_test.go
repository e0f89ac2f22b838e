package endtoend_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDeposit_ComesFromTheWebhookToAClosedChain(t *testing.T) {
	t.Parallel()
	p := newRunning(t, nil)
	deposits := []deposit{
		p.create(order{}),
		p.create(order{brand: bravo, user: "u-2", currency: "BRL", amount: "10"}),
		p.create(order{gateway: "stripe", amount: "12.34"}),
		p.create(order{brand: bravo, gateway: "stripe", currency: "JPY", amount: "1000"}),
		p.create(order{gateway: "stripe", currency: "KWD", amount: "1.234"}),
	}
	for _, d := range deposits {
		require.Equal(t, "pending", d.Status)
	}
	p.pay(deposits[0])
	p.pay(deposits[1])
	// In Stripe's own units: the hundredth, none, the thousandth.
	p.requireTaken("stripe/acme-main", stripeSession(deposits[2], 1234))
	p.requireTaken("stripe/bravo-main", stripeSession(deposits[3], 1000))
	p.requireTaken("stripe/acme-main", stripeSession(deposits[4], 1234))
	p.requireWhole(deposits, expected{})
}

func TestWebhook_OneWithAWrongSignatureIsRefusedAndTheNextGoodOneWorks(t *testing.T) {
	t.Parallel()
	p := newRunning(t, nil)
	d := p.create(order{})
	body := paid(d).body()
	good := sign(p.doors.signing["pix/acme-main"], body)
	for _, signature := range []string{
		"", "sha256=", good[:63], "zz" + good[2:], sign(p.doors.signing["pix/acme-main"], body+" "),
		sign(p.doors.signing["pix/bravo-main"], body), sign(p.doors.signing["stripe/acme-main"], body),
	} {
		a, err := p.send("pix/acme-main", "X-Signature", signature, body)
		require.NoError(t, err)
		require.Equal(t, http.StatusUnauthorized, a.status, signature)
	}
	a, err := p.send("pix/nobody", "X-Signature", good, body)
	require.NoError(t, err)
	require.Equal(t, http.StatusNotFound, a.status)
	require.Equal(t, "pending", p.status(d))
	require.Zero(t, p.count(`select count(*) from casino.gateway_messages`))

	a, err = p.send("pix/acme-main", "X-Signature", good, body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, a.status)
	p.requireWhole([]deposit{d}, expected{})
}
