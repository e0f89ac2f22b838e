package chaincheck_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/walletctl/walletctl/chaincheck"
	"github.com/walletctl/walletctl/chaincheck/chaintest"
)

// windowQuery is what a check of the arithmetic alone looks like in SQL: each
// entry against its predecessor, over a half of the wallets.
const windowQuery = `
select count(*)
from (
  select seq, real_before, bonus_before,
    lag(seq) over w as seq_was, lag(real_after) over w as real_was, lag(bonus_after) over w as bonus_was
  from gaming.entries
  where wallet_id >= $1 and wallet_id <= $2
  window w as (partition by wallet_id order by seq)) chain
where seq_was is not null and (seq_was <> seq - 1 or real_was <> real_before or bonus_was <> bonus_before)`

// BenchmarkRun reads a whole ledger, hashes verified, in turn with the window
// query over the same rows with as many workers, and reports the ratio of their
// speeds. CHAINCHECK_BENCH_ENTRIES sets the size, a million by default.
func BenchmarkRun(b *testing.B) {
	entries := 1_000_000
	if text := os.Getenv("CHAINCHECK_BENCH_ENTRIES"); text != "" {
		var err error
		entries, err = strconv.Atoi(text)
		require.NoError(b, err)
	}
	f := newFixture(b, chaintest.Spec{Wallets: entries / 1000, Deposits: 999})
	const workers = 2
	var window, run time.Duration
	for b.Loop() {
		window += timed(func() { windowCheck(b, f.pool, workers) })
		run += timed(func() {
			report := f.run(b, chaincheck.Options{All: true, Workers: workers})
			requireClosed(b, report)
			require.EqualValues(b, f.spec.Rows(), report.HashesVerified)
		})
	}
	b.ReportMetric(float64(f.spec.Rows()*b.N)/run.Seconds(), "rows/s")
	b.ReportMetric(window.Seconds()/run.Seconds(), "of-window-query")
	var usage syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	b.ReportMetric(float64(usage.Maxrss)/1024, "peak-MB")
}

func timed(work func()) time.Duration {
	began := time.Now()
	work()
	return time.Since(began)
}

func windowCheck(b *testing.B, pool *pgxpool.Pool, workers int) {
	b.Helper()
	halves := [][2]string{
		{"00000000-0000-0000-0000-000000000000", "7fffffff-ffff-ffff-ffff-ffffffffffff"},
		{"80000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"},
	}
	require.Len(b, halves, workers)
	var group errgroup.Group
	for _, half := range halves {
		group.Go(func() error { return windowHalf(pool, half[0], half[1]) })
	}
	require.NoError(b, group.Wait())
}

// windowHalf uses one worker: the server's own would come on top.
func windowHalf(pool *pgxpool.Pool, from, to string) error {
	ctx := context.Background()
	return pool.AcquireFunc(ctx, func(conn *pgxpool.Conn) error {
		if _, err := conn.Exec(ctx, `set max_parallel_workers_per_gather = 0`); err != nil {
			return err
		}
		var breaks int64
		if err := conn.QueryRow(ctx, windowQuery, from, to).Scan(&breaks); err != nil {
			return err
		}
		if breaks > 0 {
			return fmt.Errorf("%d breaks", breaks)
		}
		return nil
	})
}
