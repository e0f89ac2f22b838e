package queue_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/casino/internal/queue"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/broker"
	"github.com/walletctl/walletctl/walletcore/deposit"
	"github.com/walletctl/walletctl/walletcore/gateway"
	"github.com/walletctl/walletctl/walletcore/inbox"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// applier records what is applied. It stands for the state machine, which has
// tests of its own on a real database.
type applier struct {
	mu      sync.Mutex
	fail    []error // answers to the first calls
	applied []walletcore.Notification
	signal  chan struct{}
}

func newApplier(fail ...error) *applier { return &applier{signal: make(chan struct{}, 16), fail: fail} }

func (a *applier) Apply(_ context.Context, n walletcore.Notification) (inbox.Outcome, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.fail) > 0 {
		err := a.fail[0]
		a.fail = a.fail[1:]
		return inbox.Outcome{}, err
	}
	a.applied = append(a.applied, n)
	a.signal <- struct{}{}
	return inbox.Outcome{}, nil
}

func (a *applier) wait(t *testing.T) {
	t.Helper()
	select {
	case <-a.signal:
	case <-time.After(20 * time.Second):
		t.Fatal("nothing was applied")
	}
}

type suite struct {
	vhost    *wallettest.Broker
	conn     *broker.Conn
	inbox    *applier // of deposits
	payouts  *applier // of withdrawals
	webhooks *queue.Webhooks
}

func newSuite(t *testing.T, fail ...error) *suite {
	t.Helper()
	s := &suite{vhost: wallettest.NewBroker(t), inbox: newApplier(fail...), payouts: newApplier()}
	s.conn = dial(t, s.vhost.URL(t, wallettest.CasinoBroker))
	require.NoError(t, s.conn.Declare(t.Context(), queue.Topology([]string{"promotions"})))
	s.webhooks = queue.NewWebhooks(s.conn)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		done <- queue.Consume(ctx, s.conn, queue.ConsumerOptions{
			Deposits: s.inbox, Withdrawals: s.payouts, Probe: func(context.Context) error { return nil }, DrainTimeout: time.Second,
		})
	}()
	t.Cleanup(func() {
		stop()
		require.NoError(t, <-done)
	})
	return s
}

func dial(t *testing.T, url string) *broker.Conn {
	t.Helper()
	conn, err := broker.Dial(t.Context(), url, broker.Options{Name: t.Name()})
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

func webhook(id, body string) gateway.Received {
	return gateway.Received{
		MessageID: id, Gateway: "generic", Account: "acme-eu", Brand: "acme", Dialect: "generic",
		ReceivedAt: time.Date(2026, 11, 1, 12, 0, 0, 123000, time.UTC), CorrelationID: id, Body: []byte(body),
	}
}

const confirmed = `{"event_id":"e-1","type":"payment","deposit_id":"d-1","payment_id":"p-1","status":"confirmed",
 "amount":"50.00","currency":"EUR","occurred_at":"2026-11-01T12:00:00Z"}`

func TestConsume_AWebhookComesOutAsItWentIn(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	require.NoError(t, s.webhooks.PublishNotification(t.Context(), webhook("m-1", confirmed)))
	s.inbox.wait(t)
	n := s.inbox.applied[0]
	require.Equal(t, "m-1", n.MessageID)
	require.Equal(t, "acme", n.Brand)
	require.Equal(t, "d-1", n.DepositID)
	require.Equal(t, walletcore.PaymentConfirmed, n.Status)
	require.Equal(t, webhook("", "").ReceivedAt, n.ReceivedAt)
	require.Equal(t, confirmed, string(n.Body), "byte for byte")
}

func TestConsume_WhatCannotBeReadIsADeadLetterWithItsReason(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	require.NoError(t, s.webhooks.PublishNotification(t.Context(), webhook("bad", `{`)))
	require.NoError(t, s.webhooks.PublishNotification(t.Context(), webhook("good", confirmed)))
	s.inbox.wait(t)
	require.Equal(t, "good", s.inbox.applied[0].MessageID)
	s.requireDead(t, "bad", "")
}

func TestConsume_OnlyCasinosOwnMessagesCount(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	gaming, err := amqp.Dial(s.vhost.URL(t, wallettest.GamingBroker))
	require.NoError(t, err)
	defer gaming.Close()
	ch, err := gaming.Channel()
	require.NoError(t, err)
	require.NoError(t, ch.PublishWithContext(t.Context(), "", queue.NotificationsQueue, true, false, amqp.Publishing{
		MessageId: "forged", DeliveryMode: amqp.Persistent, Body: []byte(confirmed),
		Headers: amqp.Table{
			"x-gateway": "generic", "x-account": "acme-eu", "x-brand": "acme", "x-dialect": "generic",
			"x-received-at": "2026-11-01T12:00:00Z",
		},
	}))
	s.requireDead(t, "forged", "was sent by")
	require.Empty(t, s.inbox.applied)
}

func TestConsume_AnOutageKeepsTheMessage(t *testing.T) {
	t.Parallel()
	s := newSuite(t, errors.New("connection refused"), errors.New("connection refused"))
	require.NoError(t, s.webhooks.PublishNotification(t.Context(), webhook("m-1", confirmed)))
	s.inbox.wait(t)
	require.Zero(t, s.vhost.Depth(t, queue.DeadLetterQueue))
	require.EqualValues(t, 0, s.conn.Stats().Requeued.Load(), "it does not count against the delivery limit")
}

func TestPublishEffect_WaitsInItsQueueUnderItsID(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	effects := queue.NewEffects(s.conn)
	effect := deposit.Effect{MessageID: "deposit.confirmed:d-1:promotions", Event: deposit.EventDepositConfirmed, Name: "promotions", DepositID: "d-1"}
	for range 2 {
		require.NoError(t, effects.PublishEffect(t.Context(), effect))
	}
	messages := s.vhost.Drain(t, queue.EffectQueue("promotions"))
	require.Len(t, messages, 2)
	require.Equal(t, messages[0].MessageId, messages[1].MessageId)

	effect.Name = "nobody"
	var returned *broker.ReturnedError
	require.ErrorAs(t, effects.PublishEffect(t.Context(), effect), &returned, "an effect without a queue is not lost in silence")
}

func (s *suite) requireDead(t *testing.T, id, reason string) {
	t.Helper()
	s.vhost.WaitForDepth(t, queue.DeadLetterQueue, 1)
	dead := s.vhost.Drain(t, queue.DeadLetterQueue)
	require.Len(t, dead, 1)
	require.Equal(t, id, dead[0].MessageId)
	text, _ := dead[0].Headers["x-dead-reason"].(string)
	require.NotEmpty(t, text)
	require.True(t, strings.Contains(text, reason), text)
}
