package broker_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/broker"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// set records what was handled.
type set struct {
	mu  sync.Mutex
	ids map[string]int
}

func (s *set) handle(_ context.Context, d broker.Delivery) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ids == nil {
		s.ids = map[string]int{}
	}
	s.ids[d.ID]++
	return nil
}

func (s *set) has(n int) func() bool {
	return func() bool { s.mu.Lock(); defer s.mu.Unlock(); return len(s.ids) == n }
}

func TestConsume_ResumesAfterTheBrokerClosedConnections(t *testing.T) {
	t.Parallel()
	host, conn := bench(t)
	publisher := broker.NewPublisher(dial(t, host.URL(t, wallettest.AdminBroker)), broker.PublisherOptions{})
	var seen set
	consume(t, conn, broker.ConsumerOptions{}, func(ctx context.Context, d broker.Delivery) error {
		if len(d.ID)%2 == 0 {
			time.Sleep(time.Millisecond) // so that the cut finds some in flight
		}
		return seen.handle(ctx, d)
	})
	for round := range 2 {
		for i := range 100 {
			message := work(fmt.Sprintf("m-%d-%d", round, i))
			eventually(t, func() bool { return publisher.Publish(within(t, 5*time.Second), message) == nil })
		}
		require.Positive(t, host.CloseConnections(t))
	}
	eventually(t, seen.has(200))
	host.WaitForConsumers(t, queue, 1)
	eventually(t, func() bool { return conn.Healthy() == nil })
	require.Zero(t, host.Depth(t, deadQueue))
}

func TestConsume_DeletedQueueComesBack(t *testing.T) {
	t.Parallel()
	host, conn := bench(t)
	var seen set
	consume(t, conn, broker.ConsumerOptions{}, seen.handle)
	publish(t, conn, work("m-1"))
	eventually(t, seen.has(1))
	host.DeleteQueue(t, queue)
	host.WaitForConsumers(t, queue, 1)
	publish(t, conn, work("m-2"))
	eventually(t, seen.has(2))
}

func TestConsume_MissingQueueIsUnhealthyUntilItIsThere(t *testing.T) {
	t.Parallel()
	host := wallettest.NewBroker(t)
	conn := dial(t, host.URL(t, wallettest.AdminBroker))
	var seen set
	consume(t, conn, broker.ConsumerOptions{}, seen.handle)
	eventually(t, func() bool { return conn.Healthy() != nil })
	require.ErrorContains(t, conn.Healthy(), queue)
	require.NoError(t, conn.Declare(within(t, 10*time.Second), topology()))
	publish(t, conn, work("m-1"))
	eventually(t, seen.has(1))
	require.NoError(t, conn.Healthy())
}

// Somebody replaced the queue by one of another type: that is said, and not
// repaired.
func TestConsume_QueueOfAnotherTypeIsUnhealthy(t *testing.T) {
	t.Parallel()
	host, conn := bench(t)
	var seen set
	consume(t, conn, broker.ConsumerOptions{}, seen.handle)
	host.WaitForConsumers(t, queue, 1)
	ch := host.Channel(t)
	_, err := ch.QueueDelete(queue, false, false, false)
	require.NoError(t, err)
	_, err = ch.QueueDeclare(queue, true, false, false, false, nil)
	require.NoError(t, err)
	eventually(t, func() bool {
		var wrong *broker.TopologyError
		return errors.As(conn.Healthy(), &wrong) && wrong.Name == queue
	})
}

// A handler that finishes after its channel is gone cannot acknowledge; the
// message comes again, and the consumer lives on.
func TestConsume_AcknowledgementOfALostChannelIsHarmless(t *testing.T) {
	t.Parallel()
	host, conn := bench(t)
	started, finish := make(chan int, 10), make(chan struct{})
	consume(t, conn, broker.ConsumerOptions{Workers: 1}, func(_ context.Context, d broker.Delivery) error {
		started <- d.Attempt
		<-finish
		return nil
	})
	publish(t, conn, work("m-1"))
	require.Equal(t, 1, <-started)
	host.CloseConnections(t)
	eventually(t, func() bool { return conn.Stats().Connects.Load() == 2 })
	close(finish)
	require.Equal(t, 2, <-started)
	eventually(t, func() bool { return conn.Stats().Acked.Load() == 1 })
	require.EqualValues(t, 1, conn.Stats().LostAcks.Load())
	require.EqualValues(t, 2, conn.Stats().Connects.Load())
}

// A broker that came back empty gets its topology again.
func TestConn_RestoresTopologyWithTheConnection(t *testing.T) {
	t.Parallel()
	host, conn := bench(t)
	ch := host.Channel(t)
	require.NoError(t, ch.ExchangeDelete(exchange, false, false))
	host.DeleteQueue(t, queue)
	host.CloseConnections(t)
	eventually(t, func() bool { return conn.Stats().Connects.Load() == 2 })
	publish(t, conn, work("m-1"))
	host.WaitForDepth(t, queue, 1)
}

func TestConsume_StopFinishesWhatWasDelivered(t *testing.T) {
	t.Parallel()
	host, _ := bench(t)
	proxy, url := wallettest.NewProxyFor(t, host.URL(t, wallettest.AdminBroker))
	conn := dial(t, url)
	started, finish := make(chan struct{}, 10), make(chan struct{})
	var seen set
	stop := consume(t, conn, broker.ConsumerOptions{Workers: 1, Prefetch: 3}, func(ctx context.Context, d broker.Delivery) error {
		started <- struct{}{}
		<-finish
		require.NoError(t, ctx.Err(), "the stop leaves handlers alone")
		return seen.handle(ctx, d)
	})
	for i := range 5 {
		publish(t, conn, work(fmt.Sprint(i)))
	}
	<-started
	eventually(t, func() bool { return host.Depth(t, queue) == 2 })
	var cancelled atomic.Bool
	proxy.OnRequest(func(chunk []byte) wallettest.Action {
		if bytes.Contains(chunk, []byte{0, 60, 0, 30}) { // basic.cancel
			cancelled.Store(true)
		}
		return wallettest.Pass
	})
	stopped := make(chan error)
	go func() { stopped <- stop() }()
	eventually(t, cancelled.Load)
	close(finish)
	require.NoError(t, <-stopped)
	require.True(t, seen.has(3)(), "what was prefetched costs no delivery")
	require.Equal(t, 2, host.Depth(t, queue))
}

func TestConsume_StopDoesNotWaitForEver(t *testing.T) {
	t.Parallel()
	host, conn := bench(t)
	started := make(chan struct{})
	stop := consume(t, conn, broker.ConsumerOptions{DrainTimeout: 50 * time.Millisecond},
		func(ctx context.Context, _ broker.Delivery) error {
			close(started)
			<-ctx.Done()
			return ctx.Err()
		})
	publish(t, conn, work("m-1"))
	<-started
	require.ErrorIs(t, stop(), broker.ErrDrain)
	host.WaitForDepth(t, queue, 1)
}
