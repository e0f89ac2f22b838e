package rpc_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/broker"
	"github.com/walletctl/walletctl/walletcore/rpc"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// caller sends whatever it likes, with casino's rights, and reads replies.
type caller struct {
	ch      *amqp.Channel
	replies <-chan amqp.Delivery
}

func newCaller(t *testing.T, host *wallettest.Broker) *caller {
	t.Helper()
	conn, err := amqp.Dial(host.URL(t, wallettest.CasinoBroker))
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	ch, err := conn.Channel()
	require.NoError(t, err)
	replies, err := ch.Consume("amq.rabbitmq.reply-to", "", true, false, false, false, nil)
	require.NoError(t, err)
	return &caller{ch: ch, replies: replies}
}

func (c *caller) send(t *testing.T, p amqp.Publishing) {
	t.Helper()
	if p.Type == "" {
		p.Type = rpc.CreditKey
	}
	p.ReplyTo, p.CorrelationId = "amq.rabbitmq.reply-to", "c-1"
	require.NoError(t, c.ch.Publish(rpc.Exchange, rpc.CreditKey, true, false, p))
}

func (c *caller) reply(t *testing.T) string {
	t.Helper()
	select {
	case d := <-c.replies:
		require.Equal(t, "c-1", d.CorrelationId)
		require.NotEqual(t, amqp.Persistent, d.DeliveryMode)
		return string(d.Body)
	case <-time.After(time.Minute):
		t.Fatal("no reply")
		return ""
	}
}

func body(t *testing.T, c walletcore.DepositCredit) []byte {
	t.Helper()
	text, err := json.Marshal(map[string]any{"schema_version": 1, "credit": c})
	require.NoError(t, err)
	return text
}

func TestServe_MalformedIsAnsweredInvalidAndParked(t *testing.T) {
	t.Parallel()
	host := wallettest.NewBroker(t)
	var gaming book
	serve(t, host, &gaming, rpc.ServerOptions{})
	casino := newCaller(t, host)
	for name, p := range map[string]amqp.Publishing{
		"no JSON":         {Body: []byte(`{`)},
		"nothing":         {},
		"null":            {Body: []byte(`null`)},
		"more than one":   {Body: []byte(`{"schema_version":1,"credit":{}} {}`)},
		"number for id":   {Body: []byte(`{"schema_version":1,"credit":{"deposit_id":17}}`)},
		"number for sum":  {Body: []byte(`{"schema_version":1,"credit":{"deposit_id":"d","amount":12.5}}`)},
		"exponent":        {Body: []byte(`{"schema_version":1,"credit":{"deposit_id":"d","amount":"1e2"}}`)},
		"ninth place":     {Body: []byte(`{"schema_version":1,"credit":{"deposit_id":"d","amount":"0.000000001"}}`)},
		"list":            {Body: []byte(`{"schema_version":1,"credit":[]}`)},
		"other version":   {Body: []byte(`{"schema_version":2,"credit":{"deposit_id":"d"}}`)},
		"no version":      {Body: []byte(`{"credit":{"deposit_id":"d"}}`)},
		"no credit":       {Body: []byte(`{"schema_version":1}`)},
		"not UTF-8":       {Body: []byte("{\"schema_version\":1,\"credit\":{\"deposit_id\":\"d\xff\"}}")},
		"unknown type":    {Type: "other", Body: body(t, credit(1))},
		"nul and nothing": {Body: []byte{0}},
	} {
		t.Run(name, func(t *testing.T) {
			casino.send(t, p)
			require.Contains(t, casino.reply(t), `"outcome":"invalid"`)
			host.WaitForDepth(t, rpc.DeadLetterQueue, 1)
			dead := host.Drain(t, rpc.DeadLetterQueue)[0]
			require.Equal(t, string(p.Body), string(dead.Body))
			require.Contains(t, dead.Headers[broker.HeaderDeadReason], "request ")
		})
	}
	calls, _ := gaming.count()
	require.Zero(t, calls)
	casino.send(t, amqp.Publishing{Body: body(t, credit(1))})
	require.Contains(t, casino.reply(t), `"outcome":"posted"`)
}

func TestServe_OversizedIsParked(t *testing.T) {
	t.Parallel()
	host := wallettest.NewBroker(t)
	serve(t, host, new(book), rpc.ServerOptions{})
	casino := newCaller(t, host)
	casino.send(t, amqp.Publishing{Body: make([]byte, 20<<20)})
	casino.send(t, amqp.Publishing{Body: body(t, credit(1))})
	require.Contains(t, casino.reply(t), `"outcome":"posted"`)
	host.WaitForDepth(t, rpc.DeadLetterQueue, 1)
	require.Contains(t, host.Drain(t, rpc.DeadLetterQueue)[0].Headers[broker.HeaderDeadReason], "longer than")
}

func TestServe_UnknownMembersAreIgnored(t *testing.T) {
	t.Parallel()
	host := wallettest.NewBroker(t)
	serve(t, host, new(book), rpc.ServerOptions{})
	casino := newCaller(t, host)
	text := string(body(t, credit(1)))
	casino.send(t, amqp.Publishing{Body: []byte(`{"from_the_future":1,` + text[1:])})
	require.Contains(t, casino.reply(t), `"outcome":"posted"`)
}

// A bug costs the message that meets it, not the others and not the service.
func TestServe_PanicIsCountedByTheBrokerAndParked(t *testing.T) {
	t.Parallel()
	host := wallettest.NewBroker(t)
	gaming := book{respond: func(_ context.Context, c walletcore.DepositCredit) error {
		switch c.DepositID {
		case "d-1":
			panic("boom")
		case "d-2":
			return errBug
		}
		return nil
	}}
	serve(t, host, &gaming, rpc.ServerOptions{Workers: 1})
	casino := newCaller(t, host)
	for i := 1; i <= 3; i++ {
		casino.send(t, amqp.Publishing{Body: body(t, credit(i))})
	}
	require.Contains(t, casino.reply(t), `"d-3"`)
	host.WaitForDepth(t, rpc.DeadLetterQueue, 2)
	for _, dead := range host.Drain(t, rpc.DeadLetterQueue) {
		require.Equal(t, "delivery_limit", dead.Headers["x-death"].([]any)[0].(amqp.Table)["reason"])
	}
	calls, posted := gaming.count()
	require.Equal(t, 2*(rpc.DeliveryLimit+1)+1, calls)
	require.Equal(t, 1, posted)
}

func TestServe_PastDeadlineIsDropped(t *testing.T) {
	t.Parallel()
	host := wallettest.NewBroker(t)
	var gaming book
	var stats rpc.ServerStats
	_, stop := serve(t, host, &gaming, rpc.ServerOptions{Stats: &stats})
	casino := newCaller(t, host)
	casino.send(t, amqp.Publishing{Body: body(t, credit(1)), Headers: amqp.Table{
		rpc.HeaderDeadline: time.Now().Add(-time.Second).UnixMilli(),
	}})
	casino.send(t, amqp.Publishing{Body: body(t, credit(2)), Headers: amqp.Table{
		rpc.HeaderDeadline: time.Now().Add(time.Minute).UnixMilli(),
	}})
	require.Contains(t, casino.reply(t), `"d-2"`)
	eventually(t, func() bool { return stats.Expired.Load() == 1 })
	stop()
	calls, _ := gaming.count()
	require.Equal(t, 1, calls)
	require.Zero(t, host.Depth(t, rpc.CallsQueue))
	require.Zero(t, host.Depth(t, rpc.DeadLetterQueue))
}

func TestServe_CreditEndsWithItsDeadline(t *testing.T) {
	t.Parallel()
	host := wallettest.NewBroker(t)
	gaming := book{respond: func(ctx context.Context, _ walletcore.DepositCredit) error {
		<-ctx.Done()
		return ctx.Err()
	}}
	var stats rpc.ServerStats
	_, stop := serve(t, host, &gaming, rpc.ServerOptions{Stats: &stats})
	casino := client(t, host.URL(t, wallettest.CasinoBroker), 200*time.Millisecond)
	_, err := casino.CreditDeposit(within(t, 20*time.Second), credit(1))
	var unknown *rpc.UnknownOutcomeError
	require.ErrorAs(t, err, &unknown)
	eventually(t, func() bool { return stats.Expired.Load() == 1 })
	stop()
	require.Zero(t, host.Depth(t, rpc.CallsQueue))
}

// An outage of the database is answered, pauses consuming, and uses up no
// delivery.
func TestServe_UnavailableIsAnsweredRetryAndPauses(t *testing.T) {
	t.Parallel()
	host := wallettest.NewBroker(t)
	var up atomic.Bool
	gaming := book{respond: func(context.Context, walletcore.DepositCredit) error {
		if !up.Load() {
			return down{}
		}
		return nil
	}}
	conn, _ := serve(t, host, &gaming, rpc.ServerOptions{Probe: func(context.Context) error {
		if !up.Load() {
			return errors.New("still down")
		}
		return nil
	}})
	casino := client(t, host.URL(t, wallettest.CasinoBroker), 200*time.Millisecond)
	_, err := casino.CreditDeposit(within(t, 20*time.Second), credit(1))
	var retry *rpc.RetryError
	require.ErrorAs(t, err, &retry)

	host.WaitForConsumers(t, rpc.CallsQueue, 0)
	_, err = casino.CreditDeposit(within(t, 20*time.Second), credit(2))
	var unknown *rpc.UnknownOutcomeError
	require.ErrorAs(t, err, &unknown, "it waits in the queue")
	require.Equal(t, 1, host.Depth(t, rpc.CallsQueue))

	up.Store(true)
	host.WaitForConsumers(t, rpc.CallsQueue, 1)
	_, err = casino.CreditDeposit(within(t, 20*time.Second), credit(1))
	require.NoError(t, err)
	require.EqualValues(t, 1, conn.Stats().Pauses.Load())
	require.Zero(t, conn.Stats().Requeued.Load())
	require.Zero(t, host.Depth(t, rpc.DeadLetterQueue))
}

// A wallet that is busy is no reason to pause, nor to park its deposit.
func TestServe_BusyIsAnsweredRetryAndGoesOn(t *testing.T) {
	t.Parallel()
	host := wallettest.NewBroker(t)
	gaming := book{respond: func(_ context.Context, c walletcore.DepositCredit) error {
		if c.DepositID == "d-1" {
			return busy{}
		}
		return nil
	}}
	conn, stop := serve(t, host, &gaming, rpc.ServerOptions{})
	casino := client(t, host.URL(t, wallettest.CasinoBroker), 0)
	for range rpc.DeliveryLimit + 2 {
		_, err := casino.CreditDeposit(within(t, 20*time.Second), credit(1))
		var retry *rpc.RetryError
		require.ErrorAs(t, err, &retry)
	}
	_, err := casino.CreditDeposit(within(t, 20*time.Second), credit(2))
	require.NoError(t, err)
	stop()
	require.Zero(t, conn.Stats().Pauses.Load())
	require.Zero(t, host.Depth(t, rpc.CallsQueue))
	require.Zero(t, host.Depth(t, rpc.DeadLetterQueue))
}

func TestServe_QueueOfAnotherTypeIsReturnedInOneLine(t *testing.T) {
	t.Parallel()
	host := wallettest.NewBroker(t)
	ch := host.Channel(t)
	_, err := ch.QueueDeclare(rpc.CallsQueue, true, false, false, false, nil)
	require.NoError(t, err)
	require.NoError(t, ch.Confirm(false))
	confirm, err := ch.PublishWithDeferredConfirm("", rpc.CallsQueue, true, false, amqp.Publishing{Body: body(t, credit(1))})
	require.NoError(t, err)
	require.True(t, confirm.Wait())

	var gaming book
	err = rpc.Serve(within(t, 20*time.Second), dial(t, host.URL(t, wallettest.GamingBroker)), &gaming, rpc.ServerOptions{})
	var wrong *broker.TopologyError
	require.ErrorAs(t, err, &wrong)
	require.Equal(t, rpc.CallsQueue, wrong.Name)
	require.NotContains(t, err.Error(), "\n")
	require.Equal(t, 1, host.Depth(t, rpc.CallsQueue))
	calls, _ := gaming.count()
	require.Zero(t, calls)
}

// The default exchange would put a reply into any queue, with gaming's rights.
func TestServe_RepliesToDirectReplyToOnly(t *testing.T) {
	t.Parallel()
	host := wallettest.NewBroker(t)
	var gaming book
	serve(t, host, &gaming, rpc.ServerOptions{})
	casino := newCaller(t, host)
	require.NoError(t, casino.ch.Publish(rpc.Exchange, rpc.CreditKey, true, false, amqp.Publishing{
		Type: rpc.CreditKey, Body: body(t, credit(1)), ReplyTo: rpc.DeadLetterQueue,
	}))
	eventually(t, func() bool { _, posted := gaming.count(); return posted == 1 })
	casino.send(t, amqp.Publishing{Body: body(t, credit(2))})
	casino.reply(t)
	require.Zero(t, host.Depth(t, rpc.DeadLetterQueue))
}

// Only casino's user may ask for credits.
func TestServe_GamingItselfCannotAsk(t *testing.T) {
	t.Parallel()
	host := wallettest.NewBroker(t)
	declare(t, host)
	c := client(t, host.URL(t, wallettest.GamingBroker), time.Second)
	_, err := c.CreditDeposit(within(t, 20*time.Second), credit(1))
	require.ErrorContains(t, err, "ACCESS_REFUSED")
	require.Zero(t, host.Depth(t, rpc.CallsQueue))
}

// Who is told so earlier would let casino's calls go to no queue.
func TestServe_TellsWhenACallIsDelivered(t *testing.T) {
	t.Parallel()
	host := wallettest.NewBroker(t)
	casino := newCaller(t, host)
	conn := dial(t, host.URL(t, wallettest.GamingBroker))
	ctx, cancel := context.WithCancel(t.Context())
	declared, done := make(chan struct{}), make(chan error, 1)
	go func() {
		done <- rpc.Serve(ctx, conn, new(book), rpc.ServerOptions{Declared: func() { close(declared) }, Logger: logger(t)})
	}()
	<-declared
	casino.send(t, amqp.Publishing{Body: body(t, credit(1))})
	require.Contains(t, casino.reply(t), `"outcome":"posted"`)
	cancel()
	require.NoError(t, <-done)
}
