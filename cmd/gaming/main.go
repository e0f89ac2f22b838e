// Command gaming is the wallet: it answers casino's calls over RabbitMQ and the
// callbacks of game providers over HTTP, and is the only writer of the ledger.
// It keeps no state of its own; run as many as you like.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/walletctl/walletctl/cmd/internal/config"
	"github.com/walletctl/walletctl/cmd/internal/keeper"
	"github.com/walletctl/walletctl/cmd/internal/metrics"
	"github.com/walletctl/walletctl/cmd/internal/service"
	"github.com/walletctl/walletctl/migrations"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/broker"
	"github.com/walletctl/walletctl/walletcore/deadletter"
	"github.com/walletctl/walletctl/walletcore/ledger"
	"github.com/walletctl/walletctl/walletcore/rpc"
)

// Settings come from the environment.
type Settings struct {
	service.Settings

	// DatabaseURL connects as the role gaming.
	DatabaseURL config.Secret `env:"GAMING_DATABASE_URL,required"`
	// AMQPURL connects as the broker's user gaming.
	AMQPURL config.Secret `env:"AMQP_URL,required"`
	// LedgerKeysFile holds the keys of the hash chain.
	LedgerKeysFile string `env:"LEDGER_KEYS_FILE,required"`
	// ProvidersFile is providers.yaml; empty where no game provider calls.
	ProvidersFile string `env:"GAMING_PROVIDERS"`
	// Workers post at the same time.
	Workers int `env:"RPC_WORKERS" envDefault:"32"`
	// Heartbeat is how often the row is touched by which a replica's lag is
	// read.
	Heartbeat time.Duration `env:"LEDGER_HEARTBEAT" envDefault:"5s"`

	Adjustments
}

func main() { os.Exit(service.Main("gaming", run)) }

func run(s *service.Service, settings Settings) error {
	keys, err := walletcore.LoadKeyring(settings.LedgerKeysFile)
	if err != nil {
		return err
	}
	pool, err := s.Database(service.Database{
		Variable: "GAMING_DATABASE_URL", URL: settings.DatabaseURL, Schema: migrations.Gaming,
		Configure: func(c *pgxpool.Config) { c.MaxConns = max(c.MaxConns, int32(settings.Workers)+4) },
	})
	if err != nil {
		return err
	}
	wallet, err := ledger.New(ledger.Options{Pool: pool, Keys: keys})
	if err != nil {
		return err
	}
	doors, err := newHandler(s, settings.ProvidersFile, wallet, pool)
	if err != nil {
		return err
	}
	conn, err := s.Broker(settings.AMQPURL)
	if err != nil {
		return err
	}
	stats := &rpc.ServerStats{}
	var declared atomic.Bool
	s.Checks.Register("credits", func(context.Context) error {
		if !declared.Load() {
			return errors.New("the queue of credits is not declared yet")
		}
		return nil
	})
	metrics.Register(s.Metrics, counters(wallet.Stats(), stats)...)
	s.Go("heartbeat", func(ctx context.Context) error { return wallet.Beat(ctx, settings.Heartbeat, s.Logger) })
	if err := settings.Adjustments.start(s, pool, wallet, settings.DatabasePooler); err != nil {
		return err
	}
	s.Go("credits", func(ctx context.Context) error {
		return serve(ctx, conn, wallet, rpc.ServerOptions{
			Workers: settings.Workers, Probe: pool.Ping, DrainTimeout: settings.DrainTimeout(),
			Declared: func() { declared.Store(true) }, Logger: s.Logger, Stats: stats,
		})
	})
	keepDead(s, settings, pool, conn)
	return s.Serve(doors)
}

// keepDead keeps what nobody could answer.
func keepDead(s *service.Service, settings Settings, pool *pgxpool.Pool, conn *broker.Conn) {
	var kept atomic.Int64
	metrics.Register(s.Metrics, keeper.Counter(&kept))
	s.Go("dead letters", func(ctx context.Context) error {
		return keeper.Run(ctx, conn, keeper.Options{
			Exchange: rpc.DeadLetterExchange, Queue: rpc.DeadLetterQueue,
			Store: &deadletter.Store{Pool: pool, Schema: "gaming"},
			Probe: pool.Ping, DrainTimeout: settings.DrainTimeout(), Logger: s.Logger, Kept: &kept,
		})
	})
}

func serve(ctx context.Context, conn *broker.Conn, wallet *ledger.Ledger, o rpc.ServerOptions) error {
	if err := rpc.Serve(ctx, conn, wallet, o); err != nil {
		return fmt.Errorf("answer casino's calls: %w", err)
	}
	return nil
}
