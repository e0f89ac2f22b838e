package wallettest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/migrations"
)

// Role is a login of the database, named by the variable that holds its URL.
type Role string

// The logins that the stack hands out.
const (
	Admin        Role = "ADMIN_DATABASE_URL" // superuser
	Owner        Role = "OWNER_DATABASE_URL"
	Gaming       Role = "GAMING_DATABASE_URL"
	Casino       Role = "CASINO_DATABASE_URL"
	Worker       Role = "WORKER_DATABASE_URL"
	Auditor      Role = "AUDITOR_DATABASE_URL"
	Backfill     Role = "BACKFILL_DATABASE_URL"
	Replica      Role = "DATABASE_REPLICA_URL" // auditor, on the replica
	AdminReplica Role = "ADMIN_REPLICA_URL"    // superuser, on the replica
	GamingPooler Role = "GAMING_POOLER_URL"    // gaming, through the pooler
	CasinoPooler Role = "CASINO_POOLER_URL"    // casino, through the pooler
)

// Database is a fresh database with both schemas, dropped when the test ends.
type Database struct {
	Name string
}

// NewDatabase clones a migrated template, so that a test has a database of its
// own in a fraction of a second. The brands of [Brands] are live.
func NewDatabase(t testing.TB) *Database {
	t.Helper()
	return newDatabase(t, Brands)
}

// NewClosedDatabase is a database of a platform that opened no brand yet.
func NewClosedDatabase(t testing.TB) *Database {
	t.Helper()
	return newDatabase(t, nil)
}

func newDatabase(t testing.TB, brands []string) *Database {
	t.Helper()
	ctx := context.Background()
	admin, err := pgx.Connect(ctx, Getenv(t, string(Admin)))
	require.NoError(t, err)
	defer admin.Close(ctx)

	template := ensureTemplate(ctx, t, admin, brands)
	db := &Database{Name: "test_" + uuid.NewString()[:13]}
	_, err = admin.Exec(ctx, fmt.Sprintf(`create database %q template %q owner wallet_owner`, db.Name, template))
	require.NoError(t, err)
	t.Cleanup(func() { db.drop(t) })
	return db
}

// URL returns the database's URL for a role.
func (d *Database) URL(t testing.TB, role Role) string {
	t.Helper()
	return withDatabase(t, Getenv(t, string(role)), d.Name)
}

// Pool returns a pool that is closed when the test ends. Through the pooler it
// prepares nothing on the server, as the programs do with
// DATABASE_POOLER=transaction.
func (d *Database) Pool(t testing.TB, role Role, change ...func(*pgxpool.Config)) *pgxpool.Pool {
	t.Helper()
	config, err := pgxpool.ParseConfig(d.URL(t, role))
	require.NoError(t, err)
	if role == GamingPooler || role == CasinoPooler {
		config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
		config.ConnConfig.StatementCacheCapacity = 0
	}
	for _, c := range change {
		c(config)
	}
	pool, err := pgxpool.NewWithConfig(context.Background(), config)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	return pool
}

// WaitForReplica returns when the replica has replayed everything that the
// primary had written when it was called.
func WaitForReplica(t testing.TB) {
	t.Helper()
	ctx := context.Background()
	primary, err := pgx.Connect(ctx, Getenv(t, string(Admin)))
	require.NoError(t, err)
	defer primary.Close(ctx)
	replica, err := pgx.Connect(ctx, Getenv(t, string(AdminReplica)))
	require.NoError(t, err)
	defer replica.Close(ctx)

	var written string
	require.NoError(t, primary.QueryRow(ctx, `select pg_current_wal_insert_lsn()::text`).Scan(&written))
	require.Eventually(t, func() bool {
		var there bool
		err := replica.QueryRow(ctx, `select pg_last_wal_replay_lsn() >= $1::text::pg_lsn`, written).Scan(&there)
		return err == nil && there
	}, 30*time.Second, 10*time.Millisecond, "the replica does not catch up")
}

// Getenv returns a variable that the stack sets, or fails the test with what
// to do.
func Getenv(t testing.TB, name string) string {
	t.Helper()
	value := os.Getenv(name)
	if value == "" {
		t.Fatalf("%s is not set. Try: make test, or: make stack, then eval \"$(deploy/stack env)\"", name)
	}
	return value
}

func (d *Database) drop(t testing.TB) {
	ctx := context.Background()
	admin, err := pgx.Connect(ctx, Getenv(t, string(Admin)))
	if err != nil {
		return // a test that stops the server for good cannot drop either
	}
	defer admin.Close(ctx)
	_, err = admin.Exec(ctx, fmt.Sprintf(`drop database if exists %q with (force)`, d.Name))
	if err != nil {
		t.Logf("drop %s: %v", d.Name, err)
	}
}

// ensureTemplate migrates a template once for each set of migrations and of
// brands, however many test programs run at the same time.
func ensureTemplate(ctx context.Context, t testing.TB, admin *pgx.Conn, brands []string) string {
	t.Helper()
	name := templateName(brands)
	_, err := admin.Exec(ctx, `select pg_advisory_lock(hashtextextended('walletctl test template', 0))`)
	require.NoError(t, err)
	defer func() { _, _ = admin.Exec(ctx, `select pg_advisory_unlock_all()`) }()

	var ready bool
	err = admin.QueryRow(ctx, `select exists (select from pg_database where datname = $1 and datistemplate)`, name).Scan(&ready)
	require.NoError(t, err)
	if ready {
		return name
	}
	_, err = admin.Exec(ctx, fmt.Sprintf(`drop database if exists %q with (force)`, name))
	require.NoError(t, err)
	_, err = admin.Exec(ctx, fmt.Sprintf(`create database %q owner wallet_owner`, name))
	require.NoError(t, err)
	owner := withDatabase(t, Getenv(t, string(Owner)), name)
	for _, schema := range []migrations.Schema{migrations.Gaming, migrations.Casino} {
		_, err = migrations.Up(ctx, owner, schema)
		require.NoError(t, err)
	}
	openBrands(ctx, t, owner, brands)
	_, err = admin.Exec(ctx, fmt.Sprintf(`alter database %q is_template true`, name))
	require.NoError(t, err)
	return name
}

func withDatabase(t testing.TB, raw, name string) string {
	t.Helper()
	u, err := url.Parse(raw)
	require.NoError(t, err)
	u.Path = "/" + name
	return u.String()
}
