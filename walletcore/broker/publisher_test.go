package broker_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/broker"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

func TestPublish_ConfirmedIsInTheQueue(t *testing.T) {
	t.Parallel()
	host, conn := bench(t)
	publisher := broker.NewPublisher(conn, broker.PublisherOptions{})
	message := work("m-1")
	message.Type, message.CorrelationID = "kind", "c-1"
	message.Headers = map[string]any{"attempt": int64(2)}
	require.NoError(t, publisher.Publish(within(t, 10*time.Second), message))

	got := host.Drain(t, queue)
	require.Len(t, got, 1)
	require.Equal(t, amqp.Persistent, got[0].DeliveryMode)
	require.Equal(t, "m-1", got[0].MessageId)
	require.Equal(t, "kind", got[0].Type)
	require.Equal(t, "c-1", got[0].CorrelationId)
	require.Equal(t, int64(2), got[0].Headers["attempt"])
	require.Equal(t, "application/json", got[0].ContentType)
}

func TestPublish_ReturnBelongsToItsMessage(t *testing.T) {
	t.Parallel()
	host, conn := bench(t)
	publisher := broker.NewPublisher(conn, broker.PublisherOptions{})
	ctx := within(t, 30*time.Second)
	const n = 200
	failures := make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			message := work("the same id for all")
			if i%2 == 1 {
				message.Key = "nowhere"
			}
			failures[i] = publisher.Publish(ctx, message)
		})
	}
	all.Wait()
	for i, err := range failures {
		if i%2 == 0 {
			require.NoError(t, err)
			continue
		}
		var returned *broker.ReturnedError
		require.ErrorAs(t, err, &returned)
		require.Equal(t, "nowhere", returned.Key)
		require.Equal(t, amqp.NoRoute, returned.Code)
	}
	host.WaitForDepth(t, queue, n/2)
	require.EqualValues(t, n/2, conn.Stats().Returned.Load())
	require.EqualValues(t, n/2, conn.Stats().Confirmed.Load())
}

func TestPublish_OptionalMayGoNowhere(t *testing.T) {
	t.Parallel()
	_, conn := bench(t)
	publisher := broker.NewPublisher(conn, broker.PublisherOptions{})
	message := work("m-1")
	message.Key, message.Optional = "nowhere", true
	require.NoError(t, publisher.Publish(within(t, 10*time.Second), message))
}

func TestPublish_RefusedByTheBrokerIsNacked(t *testing.T) {
	t.Parallel()
	host, conn := bench(t)
	_, err := host.Channel(t).QueueDeclare("small", true, false, false, false,
		amqp.Table{"x-max-length": 1, "x-overflow": amqp.QueueOverflowRejectPublish})
	require.NoError(t, err)
	publisher := broker.NewPublisher(conn, broker.PublisherOptions{})
	message := broker.Message{Key: "small", Body: []byte("{}")}
	require.NoError(t, publisher.Publish(within(t, 10*time.Second), message))
	require.ErrorIs(t, publisher.Publish(within(t, 10*time.Second), message), broker.ErrNacked)
}

func TestPublish_LostConfirmationIsUnconfirmed(t *testing.T) {
	t.Parallel()
	host, _ := bench(t)
	proxy, url := wallettest.NewProxyFor(t, host.URL(t, wallettest.AdminBroker))
	publisher := broker.NewPublisher(dial(t, url), broker.PublisherOptions{})
	require.NoError(t, publisher.Publish(within(t, 10*time.Second), work("m-1")))

	proxy.OnRequest(func([]byte) wallettest.Action { return wallettest.CutAfterReply })
	err := publisher.Publish(within(t, 10*time.Second), work("m-2"))
	var unconfirmed *broker.UnconfirmedError
	require.ErrorAs(t, err, &unconfirmed)
	host.WaitForDepth(t, queue, 2) // it did arrive

	proxy.OnRequest(nil)
	require.NoError(t, publisher.Publish(within(t, 10*time.Second), work("m-3")), "the connection comes back")
}

func TestPublish_WithoutConnectionIsNotSent(t *testing.T) {
	t.Parallel()
	host, _ := bench(t)
	proxy, url := wallettest.NewProxyFor(t, host.URL(t, wallettest.AdminBroker))
	conn := dial(t, url)
	publisher := broker.NewPublisher(conn, broker.PublisherOptions{})
	require.NoError(t, publisher.Publish(within(t, 10*time.Second), work("m-1")))
	require.NoError(t, conn.Healthy())

	proxy.Refuse(true)
	proxy.Cut()
	require.Eventually(t, func() bool { return conn.Healthy() != nil }, 10*time.Second, time.Millisecond)
	err := publisher.Publish(within(t, 300*time.Millisecond), work("m-2"))
	var unsent *broker.NotSentError
	require.ErrorAs(t, err, &unsent)
	require.ErrorIs(t, err, context.DeadlineExceeded)

	proxy.Refuse(false)
	require.NoError(t, publisher.Publish(within(t, 10*time.Second), work("m-3")))
	host.WaitForDepth(t, queue, 2)
}

func TestPublish_MissingExchangeFailsAtOnceAndHeals(t *testing.T) {
	t.Parallel()
	host := wallettest.NewBroker(t)
	conn := dial(t, host.URL(t, wallettest.AdminBroker))
	publisher := broker.NewPublisher(conn, broker.PublisherOptions{Exchanges: []string{exchange}})
	err := publisher.Publish(within(t, 10*time.Second), work("m-1"))
	var unsent *broker.NotSentError
	require.ErrorAs(t, err, &unsent)
	require.ErrorContains(t, err, exchange)

	require.NoError(t, conn.Declare(within(t, 10*time.Second), topology()))
	require.Eventually(t, func() bool {
		return publisher.Publish(within(t, time.Second), work("m-1")) == nil
	}, 10*time.Second, 10*time.Millisecond)
}

func TestPublish_MalformedMessageDoesNotCostTheConnection(t *testing.T) {
	t.Parallel()
	_, conn := bench(t)
	publisher := broker.NewPublisher(conn, broker.PublisherOptions{})
	require.NoError(t, publisher.Publish(within(t, 10*time.Second), work("m-1")))
	for _, spoil := range []func(*broker.Message){
		func(m *broker.Message) { m.ID = fmt.Sprintf("%256d", 1) },
		func(m *broker.Message) { m.Headers = map[string]any{"h": struct{}{}} },
		func(m *broker.Message) { m.Headers = map[string]any{fmt.Sprintf("%256d", 1): "v"} },
	} {
		message := work("m-2")
		spoil(&message)
		var unsent *broker.NotSentError
		require.ErrorAs(t, publisher.Publish(within(t, 10*time.Second), message), &unsent)
	}
	require.NoError(t, publisher.Publish(within(t, 10*time.Second), work("m-3")))
	require.EqualValues(t, 1, conn.Stats().Connects.Load())
}

// A broker short of memory stops reading from its sockets.
func TestPublish_BrokerThatReadsNothingHangsNobody(t *testing.T) {
	t.Parallel()
	host, _ := bench(t)
	proxy, url := wallettest.NewProxyFor(t, host.URL(t, wallettest.AdminBroker))
	conn := dial(t, url)
	publisher := broker.NewPublisher(conn, broker.PublisherOptions{})
	require.NoError(t, publisher.Publish(within(t, 10*time.Second), work("m-1")))

	proxy.Stall(true)
	large := work("m-2")
	large.Body = make([]byte, 16<<20) // more than the sockets on the way hold
	ctx := within(t, 500*time.Millisecond)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { require.Error(t, publisher.Publish(ctx, large)) })
	}
	requireReturns(t, 5*time.Second, all.Wait)
	requireReturns(t, 5*time.Second, func() { _ = conn.Close(within(t, time.Second)) })
}

func requireReturns(t *testing.T, d time.Duration, call func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { call(); close(done) }()
	select {
	case <-done:
	case <-time.After(d):
		t.Fatal("does not return")
	}
}
