package endtoend_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/google/uuid"
	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/rpc"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

func TestQueue_GamingsQueueDeletedWhileItIsDown(t *testing.T) {
	t.Parallel()
	p := newRunning(t, settings{"CREDIT_RETRY_BASE": "500ms"})
	p.stop(p.gaming.Load())
	p.broker.DeleteQueue(t, rpc.CallsQueue)
	d := p.create(order{})
	p.pay(d)
	const scheduled = `
select count(*) from casino.deposits
where status = 'confirmed' and last_error like '%returned%' and next_attempt_at is not null`
	await(t, "a returned request to be noted and a retry scheduled", func() bool { return p.count(scheduled) == 1 })

	p.startGaming(nil)
	p.requireWhole([]deposit{d}, expected{})
	require.Positive(t, p.count(`select count(*) from casino.deposit_events where kind = 'credit_failed'`))
}

func TestQueue_GamingsQueueDeletedUnderItComesBack(t *testing.T) {
	t.Parallel()
	p := newRunning(t, settings{"CREDIT_RETRY_BASE": "500ms"})
	p.broker.WaitForConsumers(t, rpc.CallsQueue, 1)
	p.broker.DeleteQueue(t, rpc.CallsQueue)
	p.broker.DeleteQueue(t, "casino.notifications")
	p.broker.WaitForConsumers(t, rpc.CallsQueue, 1)
	p.broker.WaitForConsumers(t, "casino.notifications", 1)
	d := p.create(order{})
	p.pay(d)
	p.requireWhole([]deposit{d}, expected{})
}

func TestQueue_APoisonMessageIsADeadLetterAndTheNextGoodOneIsHandled(t *testing.T) {
	t.Parallel()
	p := newRunning(t, nil)
	p.broker.WaitForConsumers(t, rpc.CallsQueue, 1)
	requests := map[string]amqp.Publishing{
		"unknown type":     {Type: "transfer", Body: []byte(`{}`)},
		"cannot be read":   {Type: rpc.CreditKey, Body: []byte(`{"schema_version":1,`)},
		"schema_version 7": {Type: rpc.CreditKey, Body: []byte(`{"schema_version":7}`)},
		"has no credit":    {Type: rpc.CreditKey, Body: []byte(`{"schema_version":1}`)},
		"not valid UTF-8":  {Type: rpc.CreditKey, Body: []byte("\xff")},
		"longer than":      {Type: rpc.CreditKey, Body: make([]byte, 1<<20+1)},
		"decimal string":   {Type: rpc.CreditKey, Body: []byte(`{"schema_version":1,"credit":{"amount":50}}`)},
	}
	for _, m := range requests {
		p.put(wallettest.CasinoBroker, rpc.Exchange, rpc.CreditKey, m)
	}
	webhooks := map[string]amqp.Publishing{
		"x-gateway is missing": {Headers: without("x-gateway"), Body: []byte(`{}`)},
		"x-received-at":        {Headers: without("x-received-at"), Body: []byte(`{}`)},
		"JSON":                 {Headers: without(""), Body: []byte(`{`)},
	}
	for _, m := range webhooks {
		p.put(wallettest.CasinoBroker, "casino.webhooks", "notification", m)
	}
	d := p.create(order{})
	p.pay(d)
	p.waitStatus(d, "credited")

	p.requireDead("gaming", rpc.CallsQueue, requests)
	p.requireDead("casino", "casino.notifications", webhooks)
	p.requireWhole([]deposit{d}, expected{gamingDead: len(requests), casinoDead: len(webhooks)})
}

func TestQueue_AWebhookThatCasinoDidNotVerifyMovesNothing(t *testing.T) {
	t.Parallel()
	p := newRunning(t, nil)
	d := p.create(order{})
	forged := amqp.Publishing{Headers: without(""), Body: []byte(paid(d).body())}
	for _, user := range []wallettest.BrokerUser{wallettest.GamingBroker, wallettest.AdminBroker} {
		p.put(user, "", "casino.notifications", forged) // gaming may write to amq.default, to reply
	}
	p.requireDead("casino", "casino.notifications", map[string]amqp.Publishing{
		`was sent by "gaming"`: forged, `was sent by "admin"`: forged,
	})
	require.Equal(t, "pending", p.status(d))
	p.pay(d)
	p.requireWhole([]deposit{d}, expected{casinoDead: 2})
}

// put publishes a message as a user of the broker, with the user's name on it.
func (p *platform) put(user wallettest.BrokerUser, exchange, key string, m amqp.Publishing) {
	p.t.Helper()
	u, err := url.Parse(p.broker.URL(p.t, user))
	require.NoError(p.t, err)
	conn, err := amqp.Dial(u.String())
	require.NoError(p.t, err)
	defer conn.Close()
	ch, err := conn.Channel()
	require.NoError(p.t, err)
	require.NoError(p.t, ch.Confirm(false))
	m.MessageId, m.UserId = uuid.NewString(), u.User.Username()
	confirmation, err := ch.PublishWithDeferredConfirm(exchange, key, true, false, m)
	require.NoError(p.t, err)
	require.True(p.t, confirmation.Wait(), "the broker refused the message")
}

// without is the headers of a webhook in casino's queue, but for one.
func without(name string) amqp.Table {
	headers := amqp.Table{
		"x-gateway": "pix", "x-account": "acme-main", "x-brand": acme, "x-dialect": "generic",
		"x-received-at": time.Now().UTC().Format(time.RFC3339Nano),
	}
	delete(headers, name)
	return headers
}
