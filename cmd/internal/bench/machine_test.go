package bench_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/internal/bench"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// machine describes what is measured on, and refuses servers whose figures
// would flatter.
func machine(t *testing.T, s settings) []string {
	conn, err := pgx.Connect(t.Context(), wallettest.Getenv(t, string(wallettest.Admin)))
	require.NoError(t, err)
	defer conn.Close(t.Context())
	shown := map[string]string{}
	for _, name := range []string{"server_version", "fsync", "synchronous_commit", "full_page_writes", "shared_buffers"} {
		var value string
		require.NoError(t, conn.QueryRow(t.Context(), `select current_setting($1)`, name).Scan(&value))
		shown[name] = value
	}
	for _, name := range []string{"fsync", "synchronous_commit", "full_page_writes"} {
		require.Equal(t, "on", shown[name], "%s must be on: a ledger is measured", name)
	}
	version, _, _ := strings.Cut(shown["server_version"], " ")
	return []string{
		fmt.Sprintf("%d processors for everything: servers, clients and pgbench", runtime.NumCPU()),
		fmt.Sprintf("PostgreSQL %s, shared_buffers %s, a streaming replica; %s", version, shown["shared_buffers"], runtime.Version()),
		fmt.Sprintf("%d rounds, %s a run of credits, %s wallets", s.rounds, s.seconds, bench.Grouped(wallets)),
	}
}
