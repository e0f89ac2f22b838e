// Package postgres opens a program's connections to PostgreSQL.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/walletctl/walletctl/cmd/internal/config"
)

// Poolers of DATABASE_POOLER.
const (
	// PoolerNone: the URL leads to the server itself.
	PoolerNone = ""
	// PoolerTransaction: a pooler gives each transaction another connection,
	// so statements are described but never kept prepared on the server.
	PoolerTransaction = "transaction"
)

const (
	// connectTimeout holds where the URL has no connect_timeout: a host that
	// drops packets must not hold a program for minutes.
	connectTimeout = 10 * time.Second

	firstPause = 100 * time.Millisecond
	maxPause   = 2 * time.Second
)

// Options of a pool.
type Options struct {
	// Variable names where the URL comes from, for messages:
	// "GAMING_DATABASE_URL".
	Variable string
	// URL is a PostgreSQL URL or keyword/value string. Never printed.
	URL config.Secret
	// ApplicationName is shown in pg_stat_activity.
	ApplicationName string
	// MaxConns is the pool's size (DATABASE_MAX_CONNS); 0 is the URL's
	// pool_max_conns, or else the greater of 4 and the number of processors.
	MaxConns int32
	// Pooler is PoolerNone or PoolerTransaction (DATABASE_POOLER).
	Pooler string
	// Wait is how long to wait for a server that is not there or is starting; 0
	// tries once. A refused login is never waited for.
	Wait time.Duration
	// Logger tells about waiting; nil is slog.Default.
	Logger *slog.Logger
	// Configure, where set, has the last word on the pool: AfterConnect, codecs,
	// tracers.
	Configure func(*pgxpool.Config)
}

// Validate refuses options that cannot work. The error is a *config.Error.
func (o *Options) Validate() error {
	switch {
	case o.URL == "":
		return &config.Error{Variable: o.Variable, Problem: "is not set", Try: "set " + o.Variable + " to a URL such as postgres://user@host:5432/database"}
	case o.Pooler != PoolerNone && o.Pooler != PoolerTransaction:
		return &config.Error{Variable: "DATABASE_POOLER", Problem: "is not a pooler", Try: "leave DATABASE_POOLER empty, or set it to transaction"}
	case o.MaxConns < 0:
		return &config.Error{Variable: "DATABASE_MAX_CONNS", Problem: "is below zero", Try: "leave DATABASE_MAX_CONNS empty, or set it to 10"}
	}
	return nil
}

// Open returns a pool with one connection proven. The error is a *config.Error
// for what the configuration has wrong, a *ConnectError for what the server
// answers, or the context's.
func Open(ctx context.Context, opts Options) (*pgxpool.Pool, error) {
	pool, err := OpenLazily(ctx, opts)
	if err != nil {
		return nil, err
	}
	if err := await(ctx, pool, opts); err != nil {
		pool.Close()
		return nil, err
	}
	return pool, nil
}

// OpenLazily returns a pool that connects when it is first used, for who can go
// on without its database. The error is as that of Open; the server's answer is
// not among it.
func OpenLazily(ctx context.Context, opts Options) (*pgxpool.Pool, error) {
	if err := opts.Validate(); err != nil {
		return nil, err
	}
	cfg, err := poolConfig(opts)
	if err != nil {
		return nil, err
	}
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, &ConnectError{Variable: opts.Variable, Err: err}
	}
	return pool, nil
}

func poolConfig(opts Options) (*pgxpool.Config, error) {
	cfg, err := pgxpool.ParseConfig(opts.URL.Reveal())
	if err != nil {
		// The parser's error quotes the URL, password and all.
		return nil, &config.Error{
			Variable: opts.Variable,
			Problem:  "is not a PostgreSQL URL",
			Try:      "write it as postgres://user:password@host:5432/database, with special characters of the password percent-encoded",
		}
	}
	if opts.ApplicationName != "" {
		cfg.ConnConfig.RuntimeParams["application_name"] = opts.ApplicationName
	}
	if cfg.ConnConfig.ConnectTimeout == 0 {
		cfg.ConnConfig.ConnectTimeout = connectTimeout
	}
	if opts.MaxConns > 0 {
		cfg.MaxConns = opts.MaxConns
	}
	if opts.Pooler == PoolerTransaction {
		cfg.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
		cfg.ConnConfig.StatementCacheCapacity = 0
	}
	if opts.Configure != nil {
		opts.Configure(cfg)
	}
	return cfg, nil
}

// await pings until the server answers or the wait is over.
func await(ctx context.Context, pool *pgxpool.Pool, opts Options) error {
	logger := opts.Logger
	if logger == nil {
		logger = slog.Default()
	}
	deadline := time.Now().Add(opts.Wait)
	for pause := firstPause; ; pause = min(2*pause, maxPause) {
		err := pool.Ping(ctx)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return fmt.Errorf("wait for %s: %w", opts.Variable, context.Cause(ctx))
		}
		err = &ConnectError{Variable: opts.Variable, Err: withoutConfig(err)}
		if !temporary(err) || time.Now().Add(pause).After(deadline) {
			return err
		}
		logger.Warn("waiting for the database", "url", opts.Variable, "error", err.Error())
		if err := sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// withoutConfig takes the cause out of pgx's connect error, whose Config field
// holds the password for whoever prints the struct.
func withoutConfig(err error) error {
	var connect *pgconn.ConnectError
	if errors.As(err, &connect) {
		return connect.Unwrap()
	}
	return err
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}
