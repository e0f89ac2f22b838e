package chaincheck_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/chaincheck"
	"github.com/walletctl/walletctl/chaincheck/chaintest"
	"github.com/walletctl/walletctl/migrations"
)

// ownStack is a primary and a replica of this test alone, which it may stop.
type ownStack struct {
	dir string
	env map[string]string
}

func newOwnStack(t *testing.T) *ownStack {
	t.Helper()
	s := &ownStack{dir: filepath.Join(t.TempDir(), "stack")}
	t.Cleanup(func() { s.command(t, "down") })
	s.env = map[string]string{}
	line := regexp.MustCompile(`(?m)^export (\w+)='(.*)'$`)
	for _, m := range line.FindAllStringSubmatch(s.command(t, "up"), -1) {
		s.env[m[1]] = m[2]
	}
	_, err := migrations.Up(context.Background(), s.env["OWNER_DATABASE_URL"], migrations.Gaming)
	require.NoError(t, err)
	return s
}

func (s *ownStack) command(t *testing.T, arguments ...string) string {
	t.Helper()
	command := exec.Command("../deploy/stack", arguments...)
	command.Env = append(os.Environ(), "STACK_DIR="+s.dir, "STACK_SHARED_BUFFERS=32MB")
	command.Stderr = testWriter{t}
	output, err := command.Output()
	require.NoError(t, err)
	return string(output)
}

type testWriter struct{ t *testing.T }

func (w testWriter) Write(p []byte) (int, error) { w.t.Log(string(p)); return len(p), nil }

// exec runs statements, each on its own, by the URL of a variable.
func (s *ownStack) exec(t *testing.T, variable string, statements ...string) {
	t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, s.env[variable])
	require.NoError(t, err)
	defer conn.Close(ctx)
	for _, statement := range statements {
		_, err := conn.Exec(ctx, statement)
		require.NoError(t, err)
	}
}

// wait returns when the query answers true.
func (s *ownStack) wait(t *testing.T, variable, query string) {
	t.Helper()
	require.Eventually(t, func() bool {
		ctx := context.Background()
		conn, err := pgx.Connect(ctx, s.env[variable])
		if err != nil {
			return false
		}
		defer conn.Close(ctx)
		var yes bool
		return conn.QueryRow(ctx, query).Scan(&yes) == nil && yes
	}, time.Minute, 50*time.Millisecond, query)
}

// check runs with connections of its own, so that none is left from before a
// fault.
func (s *ownStack) check(t *testing.T, options chaincheck.Options) (chaincheck.Report, error) {
	t.Helper()
	pool, err := pgxpool.New(context.Background(), s.env["DATABASE_REPLICA_URL"])
	require.NoError(t, err)
	defer pool.Close()
	return chaincheck.Run(context.Background(), chaincheck.Deps{Pool: pool, Keys: chaintest.Keys(t)}, options)
}

// catchUp returns when the replica has replayed what the primary has written.
func (s *ownStack) catchUp(t *testing.T) {
	t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, s.env["ADMIN_DATABASE_URL"])
	require.NoError(t, err)
	defer conn.Close(ctx)
	var written string
	require.NoError(t, conn.QueryRow(ctx, `select pg_current_wal_insert_lsn()::text`).Scan(&written))
	s.wait(t, "ADMIN_REPLICA_URL", `select status = 'streaming' and pg_last_wal_replay_lsn() >= '`+written+`' from pg_stat_wal_receiver`)
}
