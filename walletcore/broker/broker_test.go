package broker_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/broker"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

const (
	queue      = "gaming.work"
	exchange   = "gaming.in"
	deadLetter = "gaming.dlx"
	deadQueue  = "gaming.dead"
	limit      = 3
)

// topology is a queue behind an exchange, with dead letters.
func topology() broker.Topology {
	return broker.DeadLetters(deadLetter, deadQueue).Plus(broker.Topology{
		Exchanges: []broker.Exchange{{Name: exchange, Kind: "direct"}},
		Queues:    []broker.Queue{{Name: queue, DeliveryLimit: limit, DeadLetter: deadLetter}},
		Bindings:  []broker.Binding{{Exchange: exchange, Queue: queue, Key: "work"}},
	})
}

// dial connects with short waits between attempts.
func dial(t testing.TB, url string) *broker.Conn {
	t.Helper()
	conn, err := broker.Dial(within(t, 20*time.Second), url, broker.Options{
		Name:       t.Name(),
		Logger:     slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelDebug})),
		FirstRetry: 20 * time.Millisecond,
		MaxRetry:   200 * time.Millisecond,
	})
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(within(t, 2*time.Second)) })
	return conn
}

// bench is a host with the topology, and a connection as admin.
func bench(t testing.TB) (*wallettest.Broker, *broker.Conn) {
	t.Helper()
	host := wallettest.NewBroker(t)
	conn := dial(t, host.URL(t, wallettest.AdminBroker))
	require.NoError(t, conn.Declare(within(t, 20*time.Second), topology()))
	return host, conn
}

// within is a context that also ends a test that hangs.
func within(t testing.TB, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), d)
	t.Cleanup(cancel)
	return ctx
}

func work(id string) broker.Message {
	return broker.Message{Exchange: exchange, Key: "work", ID: id, Body: []byte(`{"id":"` + id + `"}`)}
}
