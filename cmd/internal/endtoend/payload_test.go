package endtoend_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// event is a generic webhook with one field replaced by a JSON value; an empty
// value leaves it out.
func event(d deposit, name, value string) string {
	fields := map[string]string{
		"event_id": `"evt-1"`, "type": `"payment"`, "deposit_id": `"` + d.ID + `"`, "payment_id": `"pay-` + d.ID + `"`,
		"status": `"confirmed"`, "amount": `"50.00"`, "currency": `"EUR"`, "occurred_at": `"2026-03-04T05:06:07Z"`,
	}
	fields[name] = value
	var parts []string
	for key, text := range fields {
		if text != "" {
			parts = append(parts, fmt.Sprintf("%q:%s", key, text))
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func TestWebhook_WhatCannotBeReadIsADeadLetterWithItsReason(t *testing.T) {
	t.Parallel()
	p := newRunning(t, nil)
	d := p.create(order{})
	unreadable := map[string]string{
		event(d, "amount", `"0.00000000000000000000000"`):         "amount",
		event(d, "amount", `"0.000000001"`):                       "amount",
		event(d, "amount", `"1E1000000000"`):                      "amount",
		event(d, "amount", `"1e2"`):                               "amount",
		event(d, "amount", `"-50.00"`):                            "amount",
		event(d, "amount", `"--50.00"`):                           "amount",
		event(d, "amount", `"`+strings.Repeat("5", 900_000)+`"`):  "amount",
		event(d, "amount", `50.00`):                               "amount",
		event(d, "amount", ""):                                    "amount",
		event(d, "currency", `"eur"`):                             "currency",
		event(d, "payment_id", ""):                                "payment_id",
		event(d, "payment_id", "null"):                            "payment_id",
		event(d, "payment_id", `""`):                              "payment_id",
		event(d, "payment_id", `"   "`):                           "payment_id",
		event(d, "payment_id", `"a\u0000b"`):                      "payment_id",
		event(d, "payment_id", `1.5`):                             "payment_id",
		event(d, "payment_id", `"`+strings.Repeat("p", 5000)+`"`): "payment_id",
		event(d, "deposit_id", ""):                                "deposit_id",
		event(d, "event_id", `" "`):                               "event_id",
		event(d, "status", `"settled"`):                           "status",
		"not JSON":                                                "JSON",
	}
	for body := range unreadable {
		p.requireTaken("pix/acme-main", body)
	}
	for _, letter := range p.waitDead("casino", len(unreadable)) {
		require.Contains(t, letter.reason, unreadable[string(letter.body)])
		require.Equal(t, "casino.notifications", letter.queue)
		require.NotEmpty(t, letter.messageID)
	}
	require.Equal(t, "pending", p.status(d))
	p.pay(d)
	p.requireWhole([]deposit{d}, expected{casinoDead: len(unreadable)})
}

func TestWebhook_IdsKeepTheirDigitsAndTheirGiver(t *testing.T) {
	t.Parallel()
	p := newRunning(t, nil)
	var deposits []deposit
	// Two payments whose ids a float could not tell apart, and one id of two
	// accounts.
	for _, c := range []struct{ brand, payment string }{
		{acme, "7328334202200869666"},
		{acme, "7328334202200869667"},
		{bravo, "7328334202200869666"},
		{acme, `"ORDER123"`},
		{acme, `"order123"`},
		{acme, `"` + strings.Repeat("p", 255) + `"`},
	} {
		d := p.create(order{brand: c.brand})
		p.requireTaken("pix/"+c.brand+"-main", event(d, "payment_id", c.payment))
		deposits = append(deposits, d)
	}
	p.requireWhole(deposits, expected{})

	// A payment that paid one deposit does not pay another one.
	other := p.create(order{})
	p.requireTaken("pix/acme-main", event(other, "payment_id", `"7328334202200869666"`))
	p.waitHandled(other, 1)
	require.Equal(t, "pending", p.status(other))
	require.Equal(t, []string{"payment_reused"}, p.texts(`select kind::text from casino.cases`))
}

func TestWebhook_AnotherAmountOrCurrencyThanTheDepositsCreditsNothing(t *testing.T) {
	t.Parallel()
	p := newRunning(t, nil)
	d := p.create(order{})
	stripe := p.create(order{gateway: "stripe", currency: "JPY", amount: "1000"})
	p.requireTaken("pix/acme-main", event(d, "amount", `"500.00"`))
	p.requireTaken("pix/acme-main", event(d, "currency", `"USD"`))
	p.requireTaken("stripe/acme-main", stripeSession(stripe, 100000)) // yen have no cents
	p.waitHandled(d, 2)
	p.waitHandled(stripe, 1)
	require.Equal(t, []string{"pending", "pending"}, []string{p.status(d), p.status(stripe)})
	p.pay(d)
	p.requireWhole([]deposit{d}, expected{cases: []string{"amount_mismatch", "amount_mismatch", "currency_mismatch"}})
}
