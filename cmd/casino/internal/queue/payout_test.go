package queue_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/casino/internal/queue"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/wallettest"
	"github.com/walletctl/walletctl/walletcore/withdrawal"
)

// outcomes consumes what became of payouts.
func (s *suite) outcomes(t *testing.T) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		done <- queue.ConsumeOutcomes(ctx, s.conn, queue.OutcomeOptions{
			Users: []string{"payouts"}, Applier: s.payouts,
			Probe: func(context.Context) error { return nil }, DrainTimeout: time.Second,
		})
	}()
	t.Cleanup(func() {
		stop()
		require.NoError(t, <-done)
	})
}

// payer is whoever pays, with the rights of the broker's user payouts.
func (s *suite) payer(t *testing.T, user wallettest.BrokerUser) *amqp.Channel {
	t.Helper()
	conn, err := amqp.Dial(s.vhost.URL(t, user))
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	ch, err := conn.Channel()
	require.NoError(t, err)
	return ch
}

const paid = `{"withdrawal_id":"w-1","payout_id":"po-1","brand":"acme","gateway":"generic","account":"acme-eu",
 "status":"paid","amount":"50.00","currency":"EUR","occurred_at":"2026-11-01T12:00:00Z"}`

func (s *suite) tell(t *testing.T, ch *amqp.Channel, id, user, body string) {
	t.Helper()
	require.NoError(t, ch.Publish(queue.OutcomeExchange, queue.OutcomeKey, true, false, amqp.Publishing{
		MessageId: id, UserId: user, DeliveryMode: amqp.Persistent, Body: []byte(body),
	}))
}

func TestPayouts_ARequestReachesWhoeverPaysAndItsOutcomeComesBack(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	s.outcomes(t)
	w := withdrawal.Payout{MessageID: "payout.requested:w-1", Event: withdrawal.EventPayout, WithdrawalID: "w-1"}
	require.NoError(t, queue.NewPayouts(s.conn).PublishPayout(t.Context(), w))

	payer := s.payer(t, wallettest.PayoutsBroker)
	requests, err := payer.Consume(queue.PayoutsQueue, "", true, false, false, false, nil)
	require.NoError(t, err)
	request := <-requests
	require.Equal(t, "payout.requested:w-1", request.MessageId)
	require.Contains(t, string(request.Body), `"withdrawal_id":"w-1"`)

	s.tell(t, payer, "o-1", "payouts", paid)
	s.payouts.wait(t)
	n := s.payouts.applied[0]
	require.Equal(t, "outcome:payouts:o-1", n.MessageID)
	require.Equal(t, "w-1", n.WithdrawalID)
	require.Equal(t, "po-1", n.PaymentID)
	require.Equal(t, walletcore.PaymentPaid, n.Status)
	require.Equal(t, "50.00000000", n.Amount.String())
	require.Equal(t, paid, string(n.Body), "byte for byte")
}

func TestOutcomes_OnlyTheWordOfWhoPaysCounts(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	s.outcomes(t)
	admin := s.payer(t, wallettest.AdminBroker)
	s.tell(t, admin, "forged", "", paid)
	s.requireDead(t, "forged", `message was sent by ""`)
	s.tell(t, s.payer(t, wallettest.CasinoBroker), "mine", "casino", paid)
	s.requireDead(t, "mine", `message was sent by "casino"`)
	require.Empty(t, s.payouts.applied)
}

func TestOutcomes_WhatCannotBeReadIsADeadLetterWithItsReason(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	s.outcomes(t)
	payer := s.payer(t, wallettest.PayoutsBroker)
	for i, c := range []struct{ body, reason string }{
		{`{`, "outcome "},
		{`{"withdrawal_id":"w-1","status":"confirmed"}`, "outcome status is not one of pending, paid, rejected"},
		{`{"status":"paid"}`, "outcome withdrawal_id is missing"},
		{`{"withdrawal_id":"w-1","status":"paid","amount":50}`, "outcome amount"},
		{`{"withdrawal_id":"w-1","status":"paid","amount":"5e1"}`, "outcome amount"},
		{`{"withdrawal_id":"w-1","status":"paid","occurred_at":"yesterday"}`, "outcome occurred_at is not"},
	} {
		id := fmt.Sprint("bad-", i)
		s.tell(t, payer, id, "payouts", c.body)
		s.requireDead(t, id, c.reason)
	}
	s.tell(t, payer, "", "payouts", paid)
	s.requireDead(t, "", "outcome has no message id")
}

func TestConsume_AWebhookAboutAPayoutIsTheWithdrawals(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	body := `{"event_id":"e-1","type":"payout","withdrawal_id":"w-1","payment_id":"p-1","status":"paid",
 "amount":"50.00","currency":"EUR","occurred_at":"2026-11-01T12:00:00Z"}`
	require.NoError(t, s.webhooks.PublishNotification(t.Context(), webhook("m-1", body)))
	s.payouts.wait(t)
	require.Equal(t, "w-1", s.payouts.applied[0].WithdrawalID)
	require.Empty(t, s.inbox.applied)
}
