package broker_test

import (
	"context"
	"log/slog"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/broker"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

var quiet = broker.Options{Name: "test", Logger: slog.New(slog.DiscardHandler)}

func TestDial_RefusalIsReturnedAtOnceWithoutThePassword(t *testing.T) {
	t.Parallel()
	host := wallettest.NewBroker(t)
	u, err := url.Parse(host.URL(t, wallettest.GamingBroker))
	require.NoError(t, err)
	wrongPassword, noHost := *u, *u
	wrongPassword.User = url.UserPassword("gaming", "s3cret")
	noHost.Path = "/no-such-host"
	for _, refused := range []string{wrongPassword.String(), noHost.String()} {
		_, err := broker.Dial(context.Background(), refused, quiet)
		require.Error(t, err)
		require.NotContains(t, err.Error(), "s3cret")
	}
}

func TestDial_MalformedURLDoesNotShowThePassword(t *testing.T) {
	t.Parallel()
	for _, malformed := range []string{"amqp://user:s3cret@host:no-port/", "http://user:s3cret@host/", "amqp://user:s3cret%@host", "s3cret"} {
		_, err := broker.Dial(context.Background(), malformed, quiet)
		require.Error(t, err)
		require.NotContains(t, err.Error(), "s3cret")
	}
}

func TestDial_WaitsForABrokerThatIsNotThereYet(t *testing.T) {
	t.Parallel()
	host := wallettest.NewBroker(t)
	proxy, url := wallettest.NewProxyFor(t, host.URL(t, wallettest.GamingBroker))
	proxy.Refuse(true)
	_, err := broker.Dial(within(t, 200*time.Millisecond), url, quiet)
	require.ErrorIs(t, err, context.DeadlineExceeded)

	time.AfterFunc(100*time.Millisecond, func() { proxy.Refuse(false) })
	dial(t, url)
}

func TestDial_ServerThatSaysNothingIsLeftByTheDeadline(t *testing.T) {
	t.Parallel()
	host := wallettest.NewBroker(t)
	proxy, url := wallettest.NewProxyFor(t, host.URL(t, wallettest.GamingBroker))
	proxy.DropReplies(true)
	requireReturns(t, 5*time.Second, func() {
		_, err := broker.Dial(within(t, 300*time.Millisecond), url, quiet)
		require.ErrorIs(t, err, context.DeadlineExceeded)
	})
}

func TestClose_EndsPublishersAndIsRepeatable(t *testing.T) {
	t.Parallel()
	_, conn := bench(t)
	publisher := broker.NewPublisher(conn, broker.PublisherOptions{})
	require.NoError(t, conn.Close(within(t, 5*time.Second)))
	require.NoError(t, conn.Close(within(t, 5*time.Second)))
	require.ErrorIs(t, publisher.Publish(within(t, 5*time.Second), work("m-1")), broker.ErrClosed)
	require.Error(t, conn.Healthy())
}

func TestClose_WithoutConnectionReturns(t *testing.T) {
	t.Parallel()
	host := wallettest.NewBroker(t)
	proxy, url := wallettest.NewProxyFor(t, host.URL(t, wallettest.GamingBroker))
	conn := dial(t, url)
	proxy.Refuse(true)
	proxy.Cut()
	requireReturns(t, 5*time.Second, func() { require.NoError(t, conn.Close(within(t, time.Second))) })
}
