package history_test

import (
	"context"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/backfill/history"
	"github.com/walletctl/walletctl/walletcore/record"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

const (
	killedURL  = "HISTORY_TEST_KILLED_URL"
	killedFile = "HISTORY_TEST_KILLED_FILE"
)

// TestRun_ToBeKilled is not a test of its own: it is the run that
// [TestRun_KilledAtFivePlacesAndResumedIsOneCleanRun] starts and kills.
func TestRun_ToBeKilled(t *testing.T) {
	url := os.Getenv(killedURL)
	if url == "" {
		t.Skip("started by another test")
	}
	pool, err := pgxpool.New(t.Context(), url)
	require.NoError(t, err)
	defer pool.Close()
	mapping, err := record.Named("walletctl")
	require.NoError(t, err)
	_, err = history.Run(t.Context(), pool, wallettest.Keys(t), history.Options{
		Brand: legacy, Mapping: mapping, Sources: []record.Source{record.Path(os.Getenv(killedFile))}, BatchRows: 100, Rate: 2_000,
	})
	require.NoError(t, err)
}

func TestRun_KilledAtFivePlacesAndResumedIsOneCleanRun(t *testing.T) {
	t.Parallel()
	p := live(30, 60, 50)
	s := newSuite(t, p)
	path := s.file(p.csv())
	for _, wallets := range []int{0, 1, 12, 24, 40} {
		s.killAt(path, wallets)
	}
	in := s.count(`select count(*) from gaming.history_parts`)
	require.Less(t, in, 60, "it was killed too late")
	require.Equal(t, in*50, s.count(`select count(*) from gaming.entries where seq < 0`), "wallets are whole")
	result, err := s.run(p.csv())
	require.NoError(t, err)
	require.EqualValues(t, 60-in, result.Written)
	require.EqualValues(t, in, result.Skipped)

	clean := newSuite(t, p)
	_, err = clean.run(p.csv())
	require.NoError(t, err)
	require.Equal(t, clean.entries(), s.entries())
	report := s.verify()
	require.True(t, report.Proved())
	s.requireBalances()
}

// killAt starts a run in a process of its own and kills it once so many wallets
// are in.
func (s *suite) killAt(path string, wallets int) {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), time.Minute)
	defer cancel()
	run := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestRun_ToBeKilled$")
	run.Env = append(os.Environ(), killedURL+"="+s.db.URL(s.T, wallettest.Backfill), killedFile+"="+path)
	require.NoError(s, run.Start())
	require.Eventually(s, func() bool {
		return s.count(`select count(*) from gaming.history_imports`) > 0 && s.count(`select count(*) from gaming.history_parts`) >= wallets
	}, time.Minute, 5*time.Millisecond)
	require.NoError(s, run.Process.Kill())
	require.Error(s, run.Wait(), "it came to its end before it was killed")
	// The server notices the end of a session by itself, and gives its lock back.
	require.Eventually(s, func() bool {
		return s.count(`select count(*) from pg_stat_activity where usename = 'backfill' and datname = current_database()
			and query like '%pg_try_advisory_lock%'`) == 0
	}, time.Minute, 10*time.Millisecond)
}
