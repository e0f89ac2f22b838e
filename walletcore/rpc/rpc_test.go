package rpc_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/broker"
	"github.com/walletctl/walletctl/walletcore/rpc"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// book is a wallet that behaves like the ledger towards its caller: it posts
// a deposit once and answers the original receipt ever after.
type book struct {
	rpc.Wallet // the other orders are tested with the ledger itself

	mu      sync.Mutex
	posted  map[string]walletcore.Posted
	calls   int
	respond func(ctx context.Context, c walletcore.DepositCredit) error // nil error: post
}

func (b *book) CreditDeposit(ctx context.Context, c walletcore.DepositCredit) (walletcore.Posted, error) {
	b.mu.Lock()
	b.calls++
	respond := b.respond
	b.mu.Unlock()
	if respond != nil {
		if err := respond(ctx, c); err != nil {
			return walletcore.Posted{}, err
		}
	}
	return b.post(c), nil
}

func (b *book) post(c walletcore.DepositCredit) walletcore.Posted {
	b.mu.Lock()
	defer b.mu.Unlock()
	if earlier, ok := b.posted[c.DepositID]; ok {
		earlier.Replayed = true
		return earlier
	}
	if b.posted == nil {
		b.posted = map[string]walletcore.Posted{}
	}
	p := walletcore.Posted{Receipt: walletcore.Receipt{
		WalletID:   c.Wallet.ID(),
		Seq:        1,
		Kind:       walletcore.KindDeposit,
		ExternalID: c.DepositID,
		RealAfter:  c.Amount,
		RecordedAt: time.Now().UTC().Truncate(time.Microsecond),
	}}
	b.posted[c.DepositID] = p
	return p
}

func (b *book) count() (calls, posted int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.calls, len(b.posted)
}

// down is what the ledger returns while its database cannot be reached.
type down struct{}

func (down) Error() string     { return "no database" }
func (down) Unavailable() bool { return true }

// busy is what it returns when a wallet's lock could not be had.
type busy struct{}

func (busy) Error() string     { return "lock timeout" }
func (busy) Unavailable() bool { return false }
func (busy) Retryable() bool   { return true }

var errBug = errors.New("something is wrong")

func dial(t testing.TB, url string) *broker.Conn {
	t.Helper()
	conn, err := broker.Dial(within(t, 20*time.Second), url, broker.Options{
		Name:       t.Name(),
		Logger:     logger(t),
		FirstRetry: 20 * time.Millisecond,
		MaxRetry:   200 * time.Millisecond,
	})
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(within(t, 2*time.Second)) })
	return conn
}

func logger(t testing.TB) *slog.Logger { return slog.New(slog.NewTextHandler(t.Output(), nil)) }

// serve runs gaming's side with short waits until the test ends.
func serve(t testing.TB, host *wallettest.Broker, b rpc.Wallet, opts rpc.ServerOptions) (conn *broker.Conn, stop func()) {
	t.Helper()
	opts.Logger = logger(t)
	opts.RequeueDelay, opts.FirstProbe, opts.MaxProbe = time.Millisecond, 5*time.Millisecond, 20*time.Millisecond
	conn = dial(t, host.URL(t, wallettest.GamingBroker))
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- rpc.Serve(ctx, conn, b, opts) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("serve: %v", err)
		}
	})
	t.Cleanup(stop)
	host.WaitForConsumers(t, rpc.CallsQueue, 1)
	return conn, stop
}

// declare makes gaming's topology without gaming.
func declare(t testing.TB, host *wallettest.Broker) {
	t.Helper()
	conn := dial(t, host.URL(t, wallettest.GamingBroker))
	require.NoError(t, conn.Declare(within(t, 20*time.Second), rpc.Topology()))
	require.NoError(t, conn.Close(within(t, 5*time.Second)))
}

func client(t testing.TB, url string, timeout time.Duration) *rpc.Client {
	t.Helper()
	c, err := rpc.NewClient(dial(t, url), rpc.ClientOptions{Timeout: timeout})
	require.NoError(t, err)
	return c
}

func within(t testing.TB, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), d)
	t.Cleanup(cancel)
	return ctx
}

func eventually(t testing.TB, condition func() bool) {
	t.Helper()
	require.Eventually(t, condition, 30*time.Second, 5*time.Millisecond)
}

func credit(n int) walletcore.DepositCredit {
	return walletcore.DepositCredit{
		DepositID:  fmt.Sprintf("d-%d", n),
		Wallet:     walletcore.WalletKey{Brand: "b", User: fmt.Sprintf("u-%d", n), Currency: "EUR"},
		Amount:     walletcore.MoneyFromUnits(int64(n+1) * 1_000_000),
		OccurredAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
	}
}
