package postgres_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/internal/config"
	"github.com/walletctl/walletctl/cmd/internal/postgres"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

func options(raw string) postgres.Options {
	return postgres.Options{
		Variable: "GAMING_DATABASE_URL", URL: config.Secret(raw), ApplicationName: "gaming-test",
		Logger: slog.New(slog.DiscardHandler),
	}
}

// changed returns the database's URL with a change.
func changed(t *testing.T, change func(*url.URL)) string {
	t.Helper()
	u, err := url.Parse(wallettest.NewDatabase(t).URL(t, wallettest.Gaming))
	require.NoError(t, err)
	change(u)
	return u.String()
}

func query[T any](t *testing.T, pool *pgxpool.Pool, sql string, args ...any) T {
	t.Helper()
	var value T
	require.NoError(t, pool.QueryRow(t.Context(), sql, args...).Scan(&value))
	return value
}

func TestOpen_NamesItselfAndKeepsItsSize(t *testing.T) {
	t.Parallel()
	opts := options(wallettest.NewDatabase(t).URL(t, wallettest.Gaming))
	opts.MaxConns = 3
	pool, err := postgres.Open(t.Context(), opts)
	require.NoError(t, err)
	t.Cleanup(pool.Close)

	require.Equal(t, "gaming-test", query[string](t, pool, `select current_setting('application_name')`))
	require.Equal(t, int32(3), pool.Config().MaxConns)
}

func TestOpen_BehindAPoolerNothingStaysPrepared(t *testing.T) {
	t.Parallel()
	const prepared = `select count(*) from pg_prepared_statements`
	for pooler, want := range map[string]bool{postgres.PoolerNone: true, postgres.PoolerTransaction: false} {
		opts := options(wallettest.NewDatabase(t).URL(t, wallettest.Gaming))
		opts.Pooler, opts.MaxConns = pooler, 1
		pool, err := postgres.Open(t.Context(), opts)
		require.NoError(t, err)
		t.Cleanup(pool.Close)
		for n := range 3 {
			require.Equal(t, int64(n), query[int64](t, pool, `select $1::bigint`, int64(n)))
		}
		require.Equal(t, want, query[int64](t, pool, prepared) > 0, "pooler %q", pooler)
	}
}

func TestOpen_ARefusedLoginIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	for hint, raw := range map[string]string{
		"correct the database's name in GAMING_DATABASE_URL, or create the database": changed(t, func(u *url.URL) { u.Path = "/none" }),
		"correct the user or the password in GAMING_DATABASE_URL, or allow the login in pg_hba.conf": changed(t, func(u *url.URL) {
			u.User = url.UserPassword("gaming", "hunter2")
		}),
	} {
		opts := options(raw)
		opts.Wait = time.Hour
		_, err := postgres.Open(t.Context(), opts)
		var refused *postgres.ConnectError
		require.ErrorAs(t, err, &refused)
		require.Equal(t, hint, refused.Hint())
		for _, shown := range []string{err.Error(), fmt.Sprintf("%+v %#v", err, err)} {
			require.NotContains(t, shown, "hunter2")
		}
	}
}

func TestOpen_WaitsForAServerThatIsNotThereYet(t *testing.T) {
	t.Parallel()
	proxy, raw := wallettest.NewProxyFor(t, wallettest.NewDatabase(t).URL(t, wallettest.Gaming))
	proxy.Refuse(true)
	opts := options(raw)

	_, err := postgres.Open(t.Context(), opts)
	var away *postgres.ConnectError
	require.ErrorAs(t, err, &away, "without a wait it is an error at once")

	opts.Wait = time.Minute
	opts.Logger = slog.New(onRecord(func() { proxy.Refuse(false) }))
	pool, err := postgres.Open(t.Context(), opts)
	require.NoError(t, err)
	pool.Close()
}

func TestOpen_WaitingEndsWithTheContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	opts := options("postgres://u@127.0.0.1:1/none")
	opts.Wait = time.Hour
	opts.Logger = slog.New(onRecord(cancel))
	_, err := postgres.Open(ctx, opts)

	require.ErrorIs(t, err, context.Canceled)
}

func TestOpen_RefusesWhatCannotWork(t *testing.T) {
	t.Parallel()
	pooler, size := options("postgres://localhost"), options("postgres://localhost")
	pooler.Pooler, size.MaxConns = "session", -1
	for variable, opts := range map[string]postgres.Options{
		"GAMING_DATABASE_URL": options(""),
		"DATABASE_POOLER":     pooler,
		"DATABASE_MAX_CONNS":  size,
	} {
		_, err := postgres.Open(t.Context(), opts)
		var wrong *config.Error
		require.ErrorAs(t, err, &wrong)
		require.Equal(t, variable, wrong.Variable)
	}
	_, err := postgres.Open(t.Context(), options("postgres://u:hunter2%zz@localhost/wallet"))
	require.EqualError(t, err, "GAMING_DATABASE_URL is not a PostgreSQL URL")
}

// onRecord calls back for each line that would be logged.
type onRecord func()

func (onRecord) Enabled(context.Context, slog.Level) bool    { return true }
func (f onRecord) Handle(context.Context, slog.Record) error { f(); return nil }
func (f onRecord) WithAttrs([]slog.Attr) slog.Handler        { return f }
func (f onRecord) WithGroup(string) slog.Handler             { return f }
