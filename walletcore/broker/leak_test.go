package broker_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/walletctl/walletctl/walletcore/broker"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// Not parallel: it counts goroutines.
func TestClose_LeavesNothingRunning(t *testing.T) {
	host, admin := bench(t)
	require.NoError(t, admin.Close(within(t, 5*time.Second)))
	before := goleak.IgnoreCurrent()
	proxy, url := wallettest.NewProxyFor(t, host.URL(t, wallettest.AdminBroker))
	conn := dial(t, url)
	publisher := broker.NewPublisher(conn, broker.PublisherOptions{})
	broker.NewRequester(conn, broker.PublisherOptions{})
	var seen set
	stop := consume(t, conn, broker.ConsumerOptions{}, seen.handle)
	require.NoError(t, publisher.Publish(within(t, 10*time.Second), work("m-1")))
	eventually(t, seen.has(1))
	proxy.Cut() // the lost session must leave nothing either
	eventually(t, func() bool { return conn.Stats().Connects.Load() == 2 })
	require.NoError(t, publisher.Publish(within(t, 10*time.Second), work("m-2")))
	eventually(t, seen.has(2))

	require.NoError(t, stop())
	require.NoError(t, conn.Close(within(t, 5*time.Second)))
	goleak.VerifyNone(t, before,
		goleak.IgnoreAnyFunction("github.com/walletctl/walletctl/walletcore/wallettest.(*Proxy).accept"),
		goleak.IgnoreAnyFunction("context.(*cancelCtx).propagateCancel.func2"),
		goleak.IgnoreAnyFunction("net/http.(*persistConn).readLoop"),
		goleak.IgnoreAnyFunction("net/http.(*persistConn).writeLoop"))
}

func TestConsume_EndsWithItsConn(t *testing.T) {
	t.Parallel()
	_, conn := bench(t)
	done := make(chan error, 1)
	go func() {
		done <- conn.Consume(context.Background(), broker.ConsumerOptions{Queue: queue, DeadLetter: deadLetter},
			func(context.Context, broker.Delivery) error { return nil })
	}()
	require.NoError(t, conn.Close(within(t, 5*time.Second)))
	requireReturns(t, 10*time.Second, func() { require.NoError(t, <-done) })
}
