package keeper_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/internal/keeper"
	"github.com/walletctl/walletctl/walletcore/broker"
	"github.com/walletctl/walletctl/walletcore/deadletter"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

const (
	exchange = "casino.dlx"
	queue    = "casino.dead"
)

type bench struct {
	t     *testing.T
	db    *wallettest.Database
	host  *wallettest.Broker
	admin *pgxpool.Pool
	kept  atomic.Int64
}

func newBench(t *testing.T) *bench {
	t.Helper()
	db := wallettest.NewDatabase(t)
	return &bench{t: t, db: db, host: wallettest.NewBroker(t), admin: db.Pool(t, wallettest.Admin)}
}

// start runs a keeper over these URLs until it is stopped or the test ends.
func (b *bench) start(amqpURL, databaseURL string) (stop func()) {
	b.t.Helper()
	pool, err := pgxpool.New(context.Background(), databaseURL)
	require.NoError(b.t, err)
	conn, err := broker.Dial(b.t.Context(), amqpURL, broker.Options{
		Name: b.t.Name(), FirstRetry: 10 * time.Millisecond, MaxRetry: 100 * time.Millisecond,
		Logger: slog.New(slog.NewTextHandler(b.t.Output(), nil)),
	})
	require.NoError(b.t, err)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		done <- keeper.Run(ctx, conn, keeper.Options{
			Exchange: exchange, Queue: queue, Store: &deadletter.Store{Pool: pool, Schema: "casino"}, Probe: pool.Ping,
			DrainTimeout: time.Second, Logger: slog.New(slog.NewTextHandler(b.t.Output(), nil)), Kept: &b.kept,
		})
	}()
	stop = sync.OnceFunc(func() {
		cancel()
		require.NoError(b.t, <-done)
		_ = conn.Close(context.Background())
		pool.Close()
	})
	b.t.Cleanup(stop)
	return stop
}

// put publishes dead letters, with a reason of their own each.
func (b *bench) put(bodies ...[]byte) {
	b.t.Helper()
	ch := b.host.Channel(b.t)
	require.NoError(b.t, ch.Confirm(false))
	for i, body := range bodies {
		confirmation, err := ch.PublishWithDeferredConfirm(exchange, "work", true, false, amqp.Publishing{
			MessageId: fmt.Sprint("m-", i), UserId: "admin", DeliveryMode: amqp.Persistent, Body: body,
			Headers: amqp.Table{"n": int64(i)},
		})
		require.NoError(b.t, err)
		require.True(b.t, confirmation.Wait())
	}
}

func (b *bench) count() (n int) {
	b.t.Helper()
	require.NoError(b.t, b.admin.QueryRow(context.Background(), `select count(*) from casino.dead_letters`).Scan(&n))
	return n
}

func (b *bench) await(what string, holds func() bool) {
	b.t.Helper()
	require.Eventually(b.t, holds, 60*time.Second, 20*time.Millisecond, what)
}

func TestRun_ALetterWhoseAcknowledgementIsLostIsKeptOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	proxy, url := wallettest.NewProxyFor(t, b.host.URL(t, wallettest.CasinoBroker))
	stop := b.start(url, b.db.URL(t, wallettest.Casino))
	b.host.WaitForConsumers(t, queue, 1)
	proxy.DropRequests(true) // what it says from now on is not heard, as if it were killed
	b.put([]byte("a"), []byte("b"))
	b.await("the commits", func() bool { return b.count() == 2 })
	proxy.Refuse(true)
	proxy.Cut()
	b.host.WaitForDepth(t, queue, 2)
	stop()

	b.start(b.host.URL(t, wallettest.CasinoBroker), b.db.URL(t, wallettest.Casino))
	b.host.WaitForConsumers(t, queue, 1)
	b.put([]byte("c"))
	b.await("the next one", func() bool { return b.count() == 3 })
	b.host.WaitForDepth(t, queue, 0)
	require.Equal(t, 3, b.count())
	require.EqualValues(t, 3, b.kept.Load())
}

func TestRun_WhileTheDatabaseIsAwayLettersStayInTheirQueue(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	proxy, url := wallettest.NewProxyFor(t, b.db.URL(t, wallettest.Casino))
	b.start(b.host.URL(t, wallettest.CasinoBroker), url)
	b.host.WaitForConsumers(t, queue, 1)
	b.put([]byte("a"))
	b.await("the first", func() bool { return b.count() == 1 })
	proxy.Refuse(true)
	proxy.Cut()
	var many [][]byte
	for i := range 50 {
		many = append(many, []byte(fmt.Sprint("during ", i)))
	}
	b.put(many...)
	b.host.WaitForConsumers(t, queue, 1) // cancelled, and still holding messages
	b.await("consuming to pause", func() bool { return b.host.Depth(t, queue) >= 40 })
	require.Equal(t, 1, b.count())
	proxy.Refuse(false)
	b.await("all of them", func() bool { return b.count() == 51 })
	b.host.WaitForDepth(t, queue, 0)
}

// Whatever the database says of one letter, it is not dropped and the others
// are kept.
func TestRun_ALetterThatTheDatabaseDoesNotTakeIsNotLost(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	_, err := b.admin.Exec(t.Context(), `alter table casino.dead_letters add constraint odd check (body <> 'odd')`)
	require.NoError(t, err)
	b.start(b.host.URL(t, wallettest.CasinoBroker), b.db.URL(t, wallettest.Casino))
	b.host.WaitForConsumers(t, queue, 1)
	b.put([]byte("odd"), []byte("a"), []byte("b"))
	b.await("the others", func() bool { return b.count() == 2 })
	_, err = b.admin.Exec(t.Context(), `alter table casino.dead_letters drop constraint odd`)
	require.NoError(t, err)
	b.await("the odd one", func() bool { return b.count() == 3 })
}

func TestRun_ALongBodyIsCutAndNotParkedForEver(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start(b.host.URL(t, wallettest.CasinoBroker), b.db.URL(t, wallettest.Casino))
	b.host.WaitForConsumers(t, queue, 1)
	b.put(bytes.Repeat([]byte("x"), 3<<20))
	b.await("the letter", func() bool { return b.count() == 1 })
	b.host.WaitForDepth(t, queue, 0)
	var size, kept int
	var cut bool
	require.NoError(t, b.admin.QueryRow(t.Context(), `
select body_size, octet_length(body), cut from casino.dead_letters`).Scan(&size, &kept, &cut))
	require.Equal(t, []int{3 << 20, 1 << 20}, []int{size, kept})
	require.True(t, cut)
}
