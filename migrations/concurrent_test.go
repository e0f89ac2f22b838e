package migrations_test

import (
	"context"
	"fmt"
	"net/url"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/migrations"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// emptyDatabase returns the owner's URL of a database with nothing in it.
func emptyDatabase(t *testing.T) string {
	t.Helper()
	admin := func(sql, name string) {
		ctx := context.Background()
		conn, err := pgx.Connect(ctx, wallettest.Getenv(t, string(wallettest.Admin)))
		require.NoError(t, err)
		defer conn.Close(ctx)
		_, err = conn.Exec(ctx, fmt.Sprintf(sql, name))
		require.NoError(t, err)
	}
	name := "test_" + uuid.NewString()[:13]
	admin(`create database %q owner wallet_owner`, name)
	t.Cleanup(func() { admin(`drop database if exists %q with (force)`, name) })
	u, err := url.Parse(wallettest.Getenv(t, string(wallettest.Owner)))
	require.NoError(t, err)
	u.Path = "/" + name
	return u.String()
}

// together starts n migrators of both schemas at the same moment and returns
// how many migrations each schema's migrators applied between them.
func together(t *testing.T, url string, n int) map[migrations.Schema]int {
	t.Helper()
	var mu sync.Mutex
	var wg sync.WaitGroup
	applied := map[migrations.Schema]int{}
	var failures []error
	begin := make(chan struct{})
	for range n {
		wg.Go(func() {
			<-begin
			for _, schema := range []migrations.Schema{migrations.Gaming, migrations.Casino} {
				done, err := migrations.Up(context.Background(), url, schema)
				mu.Lock()
				applied[schema] += len(done)
				if err != nil {
					failures = append(failures, err)
				}
				mu.Unlock()
			}
		})
	}
	close(begin)
	wg.Wait()
	require.Empty(t, failures)
	return applied
}

func TestUp_FourMigratorsAtOnceLeaveOneValidSchema(t *testing.T) {
	t.Parallel()
	for range 10 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			url := emptyDatabase(t)
			applied := together(t, url, 4)
			for schema, n := range applied {
				list, err := migrations.List(t.Context(), url, schema)
				require.NoError(t, err)
				require.Len(t, list, n, "each migration of %s is applied once", schema)
				requireFit(t, url, schema)
			}
		})
	}
}

func requireFit(t *testing.T, url string, schema migrations.Schema) {
	t.Helper()
	pool, err := pgxpool.New(t.Context(), url)
	require.NoError(t, err)
	defer pool.Close()
	require.NoError(t, migrations.Check(t.Context(), pool, schema))
}
