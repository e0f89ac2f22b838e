// Command casino takes deposits and withdrawals: sites create them, payment
// gateways confirm or pay them by webhook, and gaming credits and debits each,
// once. It keeps no state of its own; run as many as you like.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/walletctl/walletctl/cmd/casino/internal/config"
	"github.com/walletctl/walletctl/cmd/casino/internal/httpapi"
	"github.com/walletctl/walletctl/cmd/casino/internal/queue"
	settings "github.com/walletctl/walletctl/cmd/internal/config"
	"github.com/walletctl/walletctl/cmd/internal/keeper"
	"github.com/walletctl/walletctl/cmd/internal/metrics"
	"github.com/walletctl/walletctl/cmd/internal/service"
	"github.com/walletctl/walletctl/migrations"
	"github.com/walletctl/walletctl/walletcore/broker"
	"github.com/walletctl/walletctl/walletcore/deadletter"
	"github.com/walletctl/walletctl/walletcore/deposit"
	"github.com/walletctl/walletctl/walletcore/gateway"
	"github.com/walletctl/walletctl/walletcore/job"
	"github.com/walletctl/walletctl/walletcore/rpc"
	"github.com/walletctl/walletctl/walletcore/withdrawal"
)

// Settings come from the environment.
type Settings struct {
	service.Settings

	// DatabaseURL connects as the role casino.
	DatabaseURL settings.Secret `env:"CASINO_DATABASE_URL,required"`
	// AMQPURL connects as the broker's user casino.
	AMQPURL settings.Secret `env:"AMQP_URL,required"`
	// ConfigFile is casino.yaml: service tokens and gateway accounts.
	ConfigFile string `env:"CASINO_CONFIG,required"`
	// RetryBase is the wait after the first failed credit; it doubles four
	// times.
	RetryBase time.Duration `env:"CREDIT_RETRY_BASE" envDefault:"30s"`
	// JobTimeout bounds one attempt to credit; RPCTimeout, below it, the wait
	// for gaming's answer. A killed process's job is taken over after four
	// times the first.
	JobTimeout time.Duration `env:"CREDIT_TIMEOUT" envDefault:"30s"`
	RPCTimeout time.Duration `env:"RPC_TIMEOUT" envDefault:"10s"`
	// SweepInterval is how often lost jobs are looked for.
	SweepInterval time.Duration `env:"SWEEP_INTERVAL" envDefault:"1m"`
	// Effects are carried out for each confirmed deposit: one message each.
	Effects []string `env:"EFFECTS" envDefault:"promotions,affiliates"`
	// PayoutUsers are the broker's users whose word about a payout counts.
	PayoutUsers []string `env:"PAYOUT_USERS" envDefault:"payouts"`
	// Workers credit at the same time.
	Workers int `env:"CREDIT_WORKERS" envDefault:"32"`
}

func main() { os.Exit(service.Main("casino", run)) }

func run(s *service.Service, set Settings) error {
	if set.RPCTimeout >= set.JobTimeout {
		return &settings.Error{
			Variable: "RPC_TIMEOUT", Problem: "is not below CREDIT_TIMEOUT", Try: "keep the defaults: 10s and 30s",
		}
	}
	doors, err := config.LoadConfig(set.ConfigFile, config.Options{})
	if err != nil {
		return err
	}
	pool, err := s.Database(service.Database{
		Variable: "CASINO_DATABASE_URL", URL: set.DatabaseURL, Schema: migrations.Casino,
		Configure: func(c *pgxpool.Config) { c.MaxConns = max(c.MaxConns, 16) },
	})
	if err != nil {
		return err
	}
	conn, err := s.Broker(set.AMQPURL)
	if err != nil {
		return err
	}
	if err := conn.Declare(s.Context(), queue.Topology(set.Effects)); err != nil {
		return err
	}
	site, err := newCasino(s, set, pool, conn)
	if err != nil {
		return err
	}
	handler, err := newHandler(s, doors, site, conn)
	if err != nil {
		return err
	}
	s.Go("jobs", func(ctx context.Context) error { return work(ctx, s, site.jobs) })
	s.Go("notifications", func(ctx context.Context) error {
		return queue.Consume(ctx, conn, queue.ConsumerOptions{
			Deposits: site.deposits, Withdrawals: site.withdrawals,
			Probe: pool.Ping, DrainTimeout: set.DrainTimeout(), Logger: s.Logger,
		})
	})
	s.Go("outcomes", func(ctx context.Context) error {
		return queue.ConsumeOutcomes(ctx, conn, queue.OutcomeOptions{
			Users: set.PayoutUsers, Applier: site.withdrawals,
			Probe: pool.Ping, DrainTimeout: set.DrainTimeout(), Logger: s.Logger,
		})
	})
	keepDead(s, set, pool, conn)
	return s.Serve(handler)
}

// keepDead keeps dead letters, and sends those again that a person asks for.
func keepDead(s *service.Service, set Settings, pool *pgxpool.Pool, conn *broker.Conn) {
	store := &deadletter.Store{Pool: pool, Schema: "casino"}
	var kept, requeued atomic.Int64
	metrics.Register(s.Metrics, keeper.Counter(&kept), metrics.Counter{
		Name: "dead_letters_requeued_total", Help: "Dead letters that were sent again.", Value: &requeued,
	})
	s.Go("dead letters", func(ctx context.Context) error {
		return keeper.Run(ctx, conn, keeper.Options{
			Exchange: queue.DeadLetterExchange, Queue: queue.DeadLetterQueue, Store: store,
			Probe: pool.Ping, DrainTimeout: set.DrainTimeout(), Logger: s.Logger, Kept: &kept,
		})
	})
	s.Go("requeue", func(ctx context.Context) error {
		return queue.Requeue(ctx, conn, queue.RequeueOptions{Store: store, Logger: s.Logger, Requeued: &requeued})
	})
}

// casino is what the doors and the queues lead to.
type casino struct {
	jobs        *job.Queue
	deposits    *deposit.Service
	withdrawals *withdrawal.Service
}

func newCasino(s *service.Service, set Settings, pool *pgxpool.Pool, conn *broker.Conn) (*casino, error) {
	wallet, err := rpc.NewClient(conn, rpc.ClientOptions{Timeout: set.RPCTimeout})
	if err != nil {
		return nil, err
	}
	jobs, err := job.New(job.Options{
		Pool: pool, Logger: s.Logger, RetryBase: set.RetryBase, JobTimeout: set.JobTimeout,
		SweepInterval: set.SweepInterval, StopTimeout: set.DrainTimeout(), PollOnly: set.DatabasePooler != "",
	})
	if err != nil {
		return nil, err
	}
	deposits, err := deposit.NewService(deposit.Options{
		Queue: jobs, Pool: pool, Wallet: wallet, Effects: queue.NewEffects(conn), EffectNames: set.Effects,
		Logger: s.Logger, Workers: set.Workers,
	})
	if err != nil {
		return nil, err
	}
	withdrawals, err := withdrawal.NewService(withdrawal.Options{
		Queue: jobs, Pool: pool, Wallet: wallet, Payouts: queue.NewPayouts(conn), Logger: s.Logger,
	})
	if err != nil {
		return nil, err
	}
	return &casino{jobs, deposits, withdrawals}, nil
}

func newHandler(s *service.Service, doors *config.Config, site *casino, conn *broker.Conn) (http.Handler, error) {
	observed := newObserver(s.Metrics)
	webhooks, err := gateway.NewHandler(gateway.HandlerOptions{
		Accounts: doors.Accounts, Publisher: queue.NewWebhooks(conn), Observe: observed.webhook, Logger: s.Logger,
	})
	if err != nil {
		return nil, err
	}
	api, err := httpapi.New(httpapi.Options{
		Tokens: doors.Tokens, Deposits: site.deposits, Withdrawals: site.withdrawals, Gateways: doors.Accounts,
		Observe: observed.request, Logger: s.Logger,
	})
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle(gateway.Pattern, webhooks)
	api.Register(mux)
	return mux, nil
}

// work works the jobs until ctx ends, then lets those in progress end: they run
// under the group's work context, which outlasts the stop.
func work(ctx context.Context, s *service.Service, jobs *job.Queue) error {
	if err := jobs.Start(s.Work()); err != nil {
		return err
	}
	<-ctx.Done()
	if err := jobs.Stop(s.Work()); err != nil {
		return fmt.Errorf("stop jobs: %w", err)
	}
	return nil
}
