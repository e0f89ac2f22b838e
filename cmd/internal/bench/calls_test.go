package bench_test

import (
	"context"
	"log/slog"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/internal/bench"
	"github.com/walletctl/walletctl/walletcore/broker"
	"github.com/walletctl/walletctl/walletcore/rpc"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// calls are credits on their way through RabbitMQ: the way alone, and with the
// ledger behind it. Their limit is a bare request and reply in the same mode.
func calls(t *testing.T, s settings) []bench.Subject {
	program := compile(t, "./walletcore/rpc")
	bare := bench.Limit{
		Name: "request and reply without us",
		Run:  benchmark(program, "BenchmarkBareRequestReply", s.seconds),
	}
	subjects := s.wanted(
		bench.Subject{
			Name: "calls through RabbitMQ, 32 in flight, no ledger", Unit: "calls/s",
			Run: benchmark(program, "BenchmarkCreditDeposit", s.seconds), Limits: []bench.Limit{bare},
		},
		bench.Subject{
			Name: "credits through RabbitMQ, 32 in flight", Unit: "credits/s", Limits: []bench.Limit{bare},
		},
	)
	for i := range subjects {
		if subjects[i].Run == nil {
			db := newDatabase(t)
			gaming := newLedger(t, db.Database, 34)
			openWallets(t, gaming)
			subjects[i].Run = db.ready(t, credit(connect(t, gaming), 32, s.seconds))
		}
	}
	return subjects
}

// connect serves the ledger as gaming does and returns casino's client.
func connect(t *testing.T, gaming rpc.Wallet) *rpc.Client {
	host := wallettest.NewBroker(t)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	server := dial(t, host.URL(t, wallettest.GamingBroker))
	go func() { ended <- rpc.Serve(ctx, server, gaming, rpc.ServerOptions{Logger: quiet}) }()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-ended)
	})
	host.WaitForConsumers(t, rpc.CallsQueue, 1)
	client, err := rpc.NewClient(dial(t, host.URL(t, wallettest.CasinoBroker)), rpc.ClientOptions{})
	require.NoError(t, err)
	return client
}

var quiet = slog.New(slog.DiscardHandler)

func dial(t *testing.T, url string) *broker.Conn {
	conn, err := broker.Dial(t.Context(), url, broker.Options{Name: "bench", Logger: quiet})
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_ = conn.Close(ctx)
	})
	return conn
}

// compile builds the test program of a package, whose benchmarks are run.
func compile(t *testing.T, pkg string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "bench.test")
	build := exec.Command("go", "test", "-c", "-o", program, pkg)
	build.Dir = "../../.."
	output, err := build.CombinedOutput()
	require.NoError(t, err, string(output))
	return program
}

// benchmark runs one of a test program's benchmarks, which reports calls/s.
func benchmark(program, name string, length time.Duration) bench.Measurement {
	return func(ctx context.Context) (float64, error) {
		run := exec.CommandContext(ctx, program, "-test.run", "^$", "-test.bench", "^"+name+"$",
			"-test.benchtime", length.String())
		output, err := run.CombinedOutput()
		if err != nil {
			return 0, err
		}
		text, _, _ := strings.Cut(string(output), " calls/s")
		fields := strings.Fields(text)
		return after("calls/s "+fields[len(fields)-1], "calls/s ")
	}
}
