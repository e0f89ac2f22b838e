package backfill_test

import (
	"context"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/backfill"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

const (
	killedURL     = "BACKFILL_TEST_KILLED_URL"
	killedWallets = 2500
)

// TestBringForward_ToBeKilled is not a test of its own: it is the run that
// [TestBringForward_KilledInTheMiddleAndRunAgainIsOneCleanRun] starts and kills.
func TestBringForward_ToBeKilled(t *testing.T) {
	url := os.Getenv(killedURL)
	if url == "" {
		t.Skip("started by another test")
	}
	pool, err := pgxpool.New(t.Context(), url)
	require.NoError(t, err)
	defer pool.Close()
	o, err := backfill.NewOpening(backfill.OpeningOptions{Pool: pool, Keys: wallettest.Keys(t), Brand: newBrand, Batch: 50})
	require.NoError(t, err)
	_, err = o.BringForward(t.Context(), source(players(killedWallets)...))
	require.NoError(t, err)
}

func TestBringForward_KilledInTheMiddleAndRunAgainIsOneCleanRun(t *testing.T) {
	t.Parallel()
	r := newRollout(t)
	o := r.begun()
	for _, in := range []int{1, killedWallets / 3} {
		r.killAt(in)
	}
	there := r.count(`select count(*) from gaming.wallets`)
	require.Less(t, there, killedWallets, "it was killed too late")
	require.Zero(t, there%50, "batches are whole")
	done, err := o.BringForward(t.Context(), source(players(killedWallets)...))
	require.NoError(t, err)
	require.EqualValues(t, there, done.Present)
	require.EqualValues(t, killedWallets-there, done.In)

	clean := newRollout(t)
	_, err = clean.begun().BringForward(t.Context(), source(players(killedWallets)...))
	require.NoError(t, err)
	require.Equal(t, clean.dump(), r.dump())
	r.requireClosed()
}

// killAt starts a run in a process of its own and kills it once so many wallets
// are in.
func (r *rollout) killAt(wallets int) {
	r.Helper()
	ctx, cancel := context.WithTimeout(r.Context(), time.Minute)
	defer cancel()
	run := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestBringForward_ToBeKilled$")
	run.Env = append(os.Environ(), killedURL+"="+r.db.URL(r.T, wallettest.Backfill))
	require.NoError(r, run.Start())
	require.Eventually(r, func() bool { return r.count(`select count(*) from gaming.wallets`) >= wallets },
		time.Minute, 5*time.Millisecond)
	require.NoError(r, run.Process.Kill())
	require.Error(r, run.Wait(), "it came to its end before it was killed")
}
