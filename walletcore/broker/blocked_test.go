package broker_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/broker"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// The frames of connection.blocked, with the reason "low", and of
// connection.unblocked. A real alarm would stop every other test.
var (
	blocked   = []byte{1, 0, 0, 0, 0, 0, 8, 0, 10, 0, 60, 3, 'l', 'o', 'w', 0xCE}
	unblocked = []byte{1, 0, 0, 0, 0, 0, 4, 0, 10, 0, 61, 0xCE}
)

func TestPublish_WhileTheBrokerTakesNothingIsNotSent(t *testing.T) {
	t.Parallel()
	host, _ := bench(t)
	proxy, url := wallettest.NewProxyFor(t, host.URL(t, wallettest.CasinoBroker))
	conn := dial(t, url)
	publisher := broker.NewPublisher(conn, broker.PublisherOptions{})
	message := broker.Message{Exchange: "gaming.rpc", Key: "nowhere", Optional: true}
	admin := dial(t, host.URL(t, wallettest.AdminBroker))
	require.NoError(t, admin.Declare(within(t, 10*time.Second), broker.Topology{
		Exchanges: []broker.Exchange{{Name: "gaming.rpc", Kind: "direct"}},
	}))
	require.NoError(t, publisher.Publish(within(t, 10*time.Second), message))

	proxy.Inject(blocked)
	eventually(t, func() bool { return conn.Healthy() != nil })
	require.ErrorContains(t, conn.Healthy(), "low")
	err := publisher.Publish(within(t, 100*time.Millisecond), message)
	var unsent *broker.NotSentError
	require.ErrorAs(t, err, &unsent)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.ErrorContains(t, err, "low", "and says why it waited")

	proxy.Inject(unblocked)
	require.NoError(t, publisher.Publish(within(t, 10*time.Second), message))
	require.NoError(t, conn.Healthy())
}

func TestConsume_StopsInTimeWhileTheBrokerReadsNothing(t *testing.T) {
	t.Parallel()
	host, conn := bench(t)
	proxy, url := wallettest.NewProxyFor(t, host.URL(t, wallettest.AdminBroker))
	seen, finish := make(chan string, 10), make(chan struct{})
	stop := consume(t, dial(t, url), broker.ConsumerOptions{Workers: 1, DrainTimeout: 15 * time.Second},
		func(_ context.Context, d broker.Delivery) error {
			seen <- d.ID
			<-finish
			return nil
		})
	publish(t, conn, work("m-1"), work("m-2"))
	require.Equal(t, "m-1", <-seen)
	proxy.DropRequests(true) // as good as unread
	began := time.Now()
	time.AfterFunc(1500*time.Millisecond, func() { close(finish) })
	require.NoError(t, stop(), "what was in hand is finished")
	require.Less(t, time.Since(began), 10*time.Second)
	require.Empty(t, seen, "what is left comes again, and cannot be acknowledged now")
}
