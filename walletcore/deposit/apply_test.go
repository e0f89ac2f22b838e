package deposit_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/deposit"
	"github.com/walletctl/walletctl/walletcore/inbox"
)

func TestApply_ConfirmedCommitsWithPaymentJobAndEffects(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.create(t)
	n := message(&d, walletcore.PaymentConfirmed)
	o := b.apply(t, n)
	require.Equal(t, inbox.Outcome{Result: inbox.Applied, SubjectID: d.ID}, o)

	got := b.get(t, d.ID)
	require.Equal(t, deposit.Confirmed, got.Status)
	require.NotNil(t, got.ConfirmedAt)
	require.Equal(t, n.MessageID, got.CorrelationID)
	require.Equal(t, 1, b.count(t, "payments where deposit_id = $1 and payment_id = $2", d.ID, n.PaymentID))
	require.Equal(t, 1, b.count(t, "river_job where kind = 'deposit_credit' and id = $1", got.JobID))
	require.Equal(t, 2, b.count(t, "effects where deposit_id = $1", d.ID))
	require.Equal(t, 1, b.count(t, "gateway_messages where id = $1 and result = 'applied' and body = $2", n.MessageID, n.Body))
}

func TestApply_SameStatusTwiceIsSkipped(t *testing.T) {
	t.Parallel()
	for _, status := range []walletcore.PaymentStatus{
		walletcore.PaymentConfirmed, walletcore.PaymentFailed, walletcore.PaymentExpired,
	} {
		t.Run(string(status), func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			d := b.create(t)
			require.Equal(t, inbox.Applied, b.apply(t, message(&d, status)).Result)
			require.Equal(t, inbox.Skipped, b.apply(t, message(&d, status)).Result)
			require.Equal(t, 2, b.count(t, "gateway_messages"))
			require.Equal(t, []deposit.EventKind{deposit.EventCreated, deposit.EventKind(status)}, b.events(t, d.ID))
			require.Zero(t, b.count(t, "cases"))
		})
	}
}

func TestApply_SameMessageAgainGetsTheRecordedOutcome(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.create(t)
	n := message(&d, walletcore.PaymentConfirmed)
	first := b.apply(t, n)
	again := b.apply(t, n)
	require.True(t, again.Duplicate)
	again.Duplicate = false
	require.Equal(t, first, again)
	require.Equal(t, 1, b.count(t, "gateway_messages"))
}

// permutations calls visit with every order of the statuses.
func permutations(statuses []walletcore.PaymentStatus, visit func([]walletcore.PaymentStatus)) {
	var build func(done, rest []walletcore.PaymentStatus)
	build = func(done, rest []walletcore.PaymentStatus) {
		if len(rest) == 0 {
			visit(done)
			return
		}
		for i, s := range rest {
			left := append(append([]walletcore.PaymentStatus{}, rest[:i]...), rest[i+1:]...)
			build(append(append([]walletcore.PaymentStatus{}, done...), s), left)
		}
	}
	build(nil, statuses)
}

func TestApply_EveryOrderEndsCreditedOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	start(t, b.Service)
	all := []walletcore.PaymentStatus{
		walletcore.PaymentPending, walletcore.PaymentConfirmed, walletcore.PaymentFailed, walletcore.PaymentExpired,
	}
	orders := map[string]string{}
	permutations(all, func(order []walletcore.PaymentStatus) {
		d := b.create(t)
		for _, status := range order {
			b.apply(t, message(&d, status))
		}
		orders[d.ID] = fmt.Sprint(order)
	})
	require.Len(t, orders, 24)
	for id, order := range orders {
		b.waitFor(t, id, deposit.Credited)
		require.Equal(t, 1, b.count(t, "river_job where kind = 'deposit_credit' and args->>'deposit_id' = $1", id), order)
		require.Equal(t, 2, b.count(t, "river_job where kind = 'deposit_effect' and args->>'deposit_id' = $1", id), order)
		b.waitCount(t, 2, "effects where published_at is not null and deposit_id = $1", id)
		require.ElementsMatch(t, []string{"promotions", "affiliates"}, b.topic.of(id), order)
		require.Equal(t, 4, b.count(t, "gateway_messages where deposit_id = $1", id), order)
	}
	require.Equal(t, 24, b.wallet.calls())
	require.Zero(t, b.count(t, "cases"))
}

func TestApply_TwentyDeliveriesAtOnceConfirmOnce(t *testing.T) {
	t.Parallel()
	for name, sameID := range map[string]bool{"redelivered by the queue": true, "sent again by the gateway": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			start(t, b.Service)
			d := b.create(t)
			one := message(&d, walletcore.PaymentConfirmed)
			var wg sync.WaitGroup
			outcomes, errs := make([]inbox.Outcome, 20), make([]error, 20)
			for i := range outcomes {
				n := one
				if !sameID {
					n.MessageID = unique("msg")
				}
				wg.Go(func() { outcomes[i], errs[i] = b.Apply(context.Background(), n) })
			}
			wg.Wait()
			won := 0
			for i, o := range outcomes {
				require.NoError(t, errs[i])
				if o.Result == inbox.Applied && !o.Duplicate {
					won++
				}
			}
			require.Equal(t, 1, won)
			require.Zero(t, b.count(t, "cases"), "an honest repetition is nobody's case")
			b.waitFor(t, d.ID, deposit.Credited)
			b.waitCount(t, 2, "effects where published_at is not null")
			require.ElementsMatch(t, []string{"promotions", "affiliates"}, b.topic.of(d.ID))
			require.Equal(t, 1, b.wallet.calls())
			require.Equal(t, map[bool]int{true: 1, false: 20}[sameID], b.count(t, "gateway_messages"))
		})
	}
}

func TestApply_ConfirmedIsNeverDowngraded(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.confirmed(t)
	for _, status := range []walletcore.PaymentStatus{
		walletcore.PaymentPending, walletcore.PaymentFailed, walletcore.PaymentExpired, walletcore.PaymentOther,
	} {
		require.Equal(t, inbox.Skipped, b.apply(t, message(&d, status)).Result, status)
		require.Equal(t, deposit.Confirmed, b.get(t, d.ID).Status, status)
	}
}

func TestApply_WhatTheInboxCannotKeepIsRefusedByField(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.create(t)
	for field, change := range map[string]func(*walletcore.Notification){
		"message_id":  func(n *walletcore.Notification) { n.MessageID = "" },
		"brand":       func(n *walletcore.Notification) { n.Brand = "" },
		"status":      func(n *walletcore.Notification) { n.Status = "settled" },
		"deposit_id":  func(n *walletcore.Notification) { n.DepositID = "d\x00" },
		"payment_id":  func(n *walletcore.Notification) { n.PaymentID = strings.Repeat("p", 256) },
		"amount":      func(n *walletcore.Notification) { n.Amount = n.Amount.Neg() },
		"received_at": func(n *walletcore.Notification) { n.ReceivedAt = time.Time{} },
	} {
		n := message(&d, walletcore.PaymentConfirmed)
		change(&n)
		_, err := b.Apply(context.Background(), n)
		var bad *walletcore.FieldError
		require.ErrorAs(t, err, &bad, field)
		require.Equal(t, field, bad.Field)
	}
	require.Zero(t, b.count(t, "gateway_messages"))
}
