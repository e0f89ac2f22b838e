package broker_test

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/broker"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// consume starts consuming, and returns what stops it and waits.
func consume(t *testing.T, conn *broker.Conn, opts broker.ConsumerOptions, handle broker.Handler) (stop func() error) {
	t.Helper()
	opts.Queue, opts.DeadLetter = queue, deadLetter
	if opts.RequeueDelay == 0 {
		opts.RequeueDelay = time.Millisecond
	}
	opts.FirstProbe, opts.MaxProbe = 5*time.Millisecond, 20*time.Millisecond
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- conn.Consume(ctx, opts, handle) }()
	stop = sync.OnceValue(func() error {
		cancel()
		select {
		case err := <-done:
			return err
		case <-time.After(20 * time.Second):
			return errors.New("consuming does not stop")
		}
	})
	t.Cleanup(func() { _ = stop() })
	return stop
}

func publish(t *testing.T, conn *broker.Conn, messages ...broker.Message) {
	t.Helper()
	publisher := broker.NewPublisher(conn, broker.PublisherOptions{})
	for _, m := range messages {
		require.NoError(t, publisher.Publish(within(t, 20*time.Second), m))
	}
}

func eventually(t *testing.T, condition func() bool) {
	t.Helper()
	require.Eventually(t, condition, 30*time.Second, 5*time.Millisecond)
}

func TestConsume_HandledIsAcknowledged(t *testing.T) {
	t.Parallel()
	host, conn := bench(t)
	seen := make(chan broker.Delivery, 10)
	stop := consume(t, conn, broker.ConsumerOptions{}, func(_ context.Context, d broker.Delivery) error {
		seen <- d
		return nil
	})
	publish(t, conn, work("m-1"))
	d := <-seen
	require.Equal(t, "m-1", d.ID)
	require.Equal(t, 1, d.Attempt)
	require.Equal(t, exchange, d.Exchange)
	require.NoError(t, stop())
	require.Zero(t, host.Depth(t, queue), "nothing comes back")
	require.Zero(t, host.Consumers(t, queue))
	require.EqualValues(t, 1, conn.Stats().Acked.Load())
}

func TestConsume_UnprocessableIsParkedWithItsReason(t *testing.T) {
	t.Parallel()
	host, conn := bench(t)
	consume(t, conn, broker.ConsumerOptions{}, func(context.Context, broker.Delivery) error {
		return &broker.Unprocessable{Reason: "nobody understands it"}
	})
	message := work("m-1")
	message.Headers = map[string]any{"kept": "yes"}
	publish(t, conn, message)
	host.WaitForDepth(t, deadQueue, 1)
	dead := host.Drain(t, deadQueue)[0]
	require.Equal(t, "m-1", dead.MessageId)
	require.Equal(t, message.Body, dead.Body)
	require.Equal(t, "nobody understands it", dead.Headers[broker.HeaderDeadReason])
	require.Equal(t, queue, dead.Headers[broker.HeaderDeadQueue])
	require.Equal(t, "yes", dead.Headers["kept"])
	require.Equal(t, amqp.Persistent, dead.DeliveryMode)
}

func TestConsume_OversizedBodyIsParkedUnseen(t *testing.T) {
	t.Parallel()
	host, conn := bench(t)
	seen := make(chan string, 10)
	consume(t, conn, broker.ConsumerOptions{MaxBody: 1000}, func(_ context.Context, d broker.Delivery) error {
		seen <- d.ID
		return nil
	})
	large := work("large")
	large.Body = make([]byte, 2<<20)
	publish(t, conn, large, work("small"))
	require.Equal(t, "small", <-seen)
	host.WaitForDepth(t, deadQueue, 1)
	dead := host.Drain(t, deadQueue)[0]
	require.Equal(t, "body of 2097152 bytes is longer than 1000", dead.Headers[broker.HeaderDeadReason])
}

func TestConsume_DeadLetterWithoutAQueueIsKept(t *testing.T) {
	t.Parallel()
	host, conn := bench(t)
	host.DeleteQueue(t, deadQueue)
	consume(t, conn, broker.ConsumerOptions{}, func(context.Context, broker.Delivery) error {
		return &broker.Unprocessable{Reason: "bad"}
	})
	publish(t, conn, work("m-1"))
	eventually(t, func() bool { return conn.Stats().Returned.Load() > 0 })
	require.Zero(t, conn.Stats().Parked.Load())
	require.NoError(t, conn.Declare(within(t, 10*time.Second), topology()))
	host.WaitForDepth(t, deadQueue, 1)
}

// The broker counts, so a limit holds for a process that dies as well.
func TestConsume_FailuresAreCountedByTheBrokerUntilTheLimit(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func() error{
		"error": func() error { return errors.New("does not work") },
		"panic": func() error { panic("boom") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			host, conn := bench(t)
			var mu sync.Mutex
			var attempts []int
			good := make(chan struct{})
			consume(t, conn, broker.ConsumerOptions{Workers: 1}, func(_ context.Context, d broker.Delivery) error {
				if d.ID == "good" {
					close(good)
					return nil
				}
				mu.Lock()
				attempts = append(attempts, d.Attempt)
				mu.Unlock()
				return fail()
			})
			publish(t, conn, work("bad"), work("good"))
			<-good
			host.WaitForDepth(t, deadQueue, 1)
			dead := host.Drain(t, deadQueue)[0]
			require.Equal(t, "bad", dead.MessageId)
			deaths, _ := dead.Headers["x-death"].([]any)
			require.Len(t, deaths, 1)
			require.Equal(t, "delivery_limit", deaths[0].(amqp.Table)["reason"])
			require.Equal(t, []int{1, 2, 3, 4}, attempts, "once, and again as often as the limit says")
		})
	}
}

func TestConsume_AnotherConsumerSeesTheCount(t *testing.T) {
	t.Parallel()
	host, conn := bench(t)
	publish(t, conn, work("m-1"))
	dying, err := amqp.Dial(host.URL(t, wallettest.AdminBroker))
	require.NoError(t, err)
	ch, err := dying.Channel()
	require.NoError(t, err)
	_, ok, err := ch.Get(queue, false)
	require.NoError(t, err)
	require.True(t, ok)
	require.NoError(t, dying.Close()) // without having settled it

	attempt := make(chan int, 1)
	consume(t, conn, broker.ConsumerOptions{}, func(_ context.Context, d broker.Delivery) error {
		attempt <- d.Attempt
		return nil
	})
	require.Equal(t, 2, <-attempt)
}

// An outage of the database must not use up the deliveries of a message.
func TestConsume_UnavailableKeepsTheMessageAndPauses(t *testing.T) {
	t.Parallel()
	host, conn := bench(t)
	var up atomic.Bool
	var probes, tries atomic.Int64
	var mu sync.Mutex
	attempts := map[string]int{}
	opts := broker.ConsumerOptions{Workers: 2, Prefetch: 2, Probe: func(context.Context) error {
		probes.Add(1)
		if !up.Load() {
			return errors.New("still down")
		}
		return nil
	}}
	consume(t, conn, opts, func(_ context.Context, d broker.Delivery) error {
		tries.Add(1)
		if !up.Load() {
			return &broker.Unavailable{Err: errors.New("no database")}
		}
		mu.Lock()
		defer mu.Unlock()
		attempts[d.ID] = d.Attempt
		return nil
	})
	for i := range 10 {
		publish(t, conn, work("m-"+strconv.Itoa(i)))
	}
	eventually(t, func() bool { return probes.Load() > 10 })
	require.LessOrEqual(t, tries.Load(), int64(2), "only what was delivered before the pause was tried")
	require.GreaterOrEqual(t, host.Depth(t, queue), 8, "the rest waits where another process may take it")

	up.Store(true)
	eventually(t, func() bool { mu.Lock(); defer mu.Unlock(); return len(attempts) == 10 })
	for id, attempt := range attempts {
		require.Equal(t, 1, attempt, id)
	}
	require.EqualValues(t, 1, conn.Stats().Pauses.Load())
	require.Zero(t, host.Depth(t, deadQueue))
}

func TestConsume_UnavailableAndSettledIsAcknowledged(t *testing.T) {
	t.Parallel()
	host, conn := bench(t)
	var up atomic.Bool
	var tries atomic.Int64
	stop := consume(t, conn, broker.ConsumerOptions{Workers: 1, Prefetch: 1, Probe: func(context.Context) error {
		if !up.Load() {
			return errors.New("still down")
		}
		return nil
	}}, func(context.Context, broker.Delivery) error {
		tries.Add(1)
		if !up.Load() {
			return &broker.Unavailable{Err: errors.New("no database"), Settled: true}
		}
		return nil
	})
	publish(t, conn, work("m-1"))
	eventually(t, func() bool { return conn.Stats().Acked.Load() == 1 })
	host.WaitForConsumers(t, queue, 0)
	up.Store(true)
	host.WaitForConsumers(t, queue, 1)
	require.NoError(t, stop())
	require.Zero(t, host.Depth(t, queue))
	require.EqualValues(t, 1, tries.Load())
}

func TestConsume_StopDuringAPauseReturns(t *testing.T) {
	t.Parallel()
	host, conn := bench(t)
	tried := make(chan struct{}, 10)
	stop := consume(t, conn, broker.ConsumerOptions{Probe: func(context.Context) error { return errors.New("down") }},
		func(context.Context, broker.Delivery) error {
			tried <- struct{}{}
			return &broker.Unavailable{Err: errors.New("no database")}
		})
	publish(t, conn, work("m-1"))
	<-tried
	require.NoError(t, stop())
	host.WaitForDepth(t, queue, 1)
}

func TestConsume_OptionsAreChecked(t *testing.T) {
	t.Parallel()
	_, conn := bench(t)
	for _, opts := range []broker.ConsumerOptions{
		{DeadLetter: deadLetter},
		{Queue: queue},
		{Queue: queue, DeadLetter: deadLetter, Workers: -1},
		{Queue: queue, DeadLetter: deadLetter, DrainTimeout: -1},
	} {
		require.Error(t, conn.Consume(within(t, time.Second), opts, nil))
	}
}
