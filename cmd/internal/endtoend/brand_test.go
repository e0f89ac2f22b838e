package endtoend_test

import (
	"net/http"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

func TestBrand_AnothersDepositDoesNotExist(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, nil)
	p.startCasino(nil)
	d := p.create(order{})
	require.Equal(t, http.StatusOK, p.show(acme, d.ID).status)
	foreign, unknown := p.show(bravo, d.ID), p.show(bravo, "dep_never")
	require.Equal(t, http.StatusNotFound, foreign.status)
	require.Equal(t, unknown.body, foreign.body, "the answer tells that the deposit exists")

	a := p.post(bravo, uuid.NewString(), field("brand", `"acme"`))
	require.Equal(t, http.StatusForbidden, a.status, a.body)
	a, err := p.site("nobody", http.MethodGet, "/deposits/"+d.ID, "", nil)
	require.NoError(t, err)
	require.Equal(t, http.StatusUnauthorized, a.status)
}

func TestBrand_AWebhookOfAnothersAccountCreditsNothingAndOpensACase(t *testing.T) {
	t.Parallel()
	p := newRunning(t, nil)
	casinoLog := p.lastLog()
	d := p.create(order{})
	p.requireTaken("pix/bravo-main", paid(d).body())
	p.requireTaken("stripe/acme-main", stripeSession(d, 5000)) // the brand's own, and not the deposit's
	p.waitHandled(d, 2)
	require.Equal(t, "pending", p.status(d))
	require.Equal(t, []string{d.ID}, p.texts(`select subject_id from casino.cases where kind = 'brand_mismatch' and brand_id = 'acme'`))
	alarms := casinoLog.records(t, "ERROR")
	require.Len(t, alarms, 1)
	require.Equal(t, "brand_mismatch", alarms[0].Case)

	// It stands in nobody's way.
	p.pay(d)
	p.requireWhole([]deposit{d}, expected{cases: []string{"brand_mismatch", "gateway_mismatch"}})
}
