package bench_test

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/internal/bench"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// scripts are where pgbench's are.
const scripts = "../../../deploy/bench.d"

// database holds our schemas and, beside them, the schema of the limits.
type database struct{ *wallettest.Database }

func newDatabase(t *testing.T) database { return database{wallettest.NewDatabase(t)} }

// ready lets a measurement begin from the same place as every other one: dead
// rows gone, statistics taken, a checkpoint just made.
func (db database) ready(t *testing.T, run bench.Measurement) bench.Measurement {
	return func(ctx context.Context) (float64, error) {
		if err := db.admin(t, `vacuum analyze`, `checkpoint`); err != nil {
			return 0, err
		}
		return run(ctx)
	}
}

func (db database) admin(t *testing.T, statements ...string) error {
	conn, err := pgx.Connect(t.Context(), db.URL(t, wallettest.Admin))
	if err != nil {
		return err
	}
	defer conn.Close(context.Background())
	for _, statement := range statements {
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}

// load runs a script of SQL as the owner.
func (db database) load(t *testing.T, script string) {
	t.Helper()
	psql := exec.Command("psql", "--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1",
		"--file", filepath.Join(scripts, script), db.URL(t, wallettest.Owner))
	output, err := psql.CombinedOutput()
	require.NoError(t, err, string(output))
}

// pgbenchRate measures how many transactions a second pgbench makes of a
// script, the time to connect left out.
func (db database) pgbenchRate(t *testing.T, script string, clients int, length time.Duration) bench.Measurement {
	url := db.URL(t, wallettest.Owner)
	return func(ctx context.Context) (float64, error) {
		pgbench := exec.CommandContext(ctx, "pgbench", "--no-vacuum", "--protocol", "prepared",
			"--client", strconv.Itoa(clients), "--jobs", strconv.Itoa(min(2, clients)),
			"--time", strconv.Itoa(int(length.Seconds())), "--file", filepath.Join(scripts, script), url)
		output, err := pgbench.CombinedOutput()
		if err != nil {
			return 0, fmt.Errorf("pgbench: %w: %s", err, output)
		}
		return after(string(output), "tps = ")
	}
}

// after reads the number behind a text.
func after(output, text string) (float64, error) {
	_, behind, found := strings.Cut(output, text)
	words := strings.Fields(behind)
	if !found || len(words) == 0 {
		return 0, fmt.Errorf("no %q in: %s", text, output)
	}
	return strconv.ParseFloat(words[0], 64)
}
