package bench_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/walletctl/walletctl/chaincheck/chaintest"
	"github.com/walletctl/walletctl/cmd/internal/bench"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// chain is a long ledger on the replica.
type chain struct {
	url     string // of the auditor, on the replica
	keys    string // the key file
	entries int
	peak    float64 // the most memory that a run of walletctl took, in MB
}

// chains are the check of every entry, on the replica, by the command itself.
func chains(t *testing.T, s settings) []bench.Subject {
	c := &chain{entries: s.entries}
	subjects := s.wanted(
		bench.Subject{
			Name: fmt.Sprintf("chaincheck of %s entries, 2 workers", bench.Grouped(s.entries)), Unit: "entries/s", Run: c.check,
			Limits: []bench.Limit{{Name: "window query, 2 connections", Run: c.window, Goal: 0.5}},
		},
		bench.Subject{
			Name: "chaincheck's memory at its peak", Unit: "MB", LessIsBetter: true,
			Run:    func(context.Context) (float64, error) { return c.peak, nil },
			Limits: []bench.Limit{{Name: "what it may take", Run: func(context.Context) (float64, error) { return 200, nil }, Goal: 1}},
		},
	)
	if len(subjects) > 0 {
		c.load(t)
	}
	return subjects
}

func (c *chain) load(t *testing.T) {
	db := newDatabase(t)
	spec := chaintest.Spec{Wallets: wallets, Deposits: max(1, c.entries/wallets-1), Receipts: true}
	c.entries = spec.Rows()
	chaintest.Load(t, db.URL(t, wallettest.Owner), chaintest.Keys(t), spec)
	require.NoError(t, db.admin(t, `vacuum (freeze, analyze)`, `checkpoint`))
	wallettest.WaitForReplica(t)
	c.url = db.URL(t, wallettest.Replica)
	c.keys = filepath.Join(t.TempDir(), "keys.yaml")
	secret := strings.Repeat("5a", 32) // chaintest's
	require.NoError(t, os.WriteFile(c.keys, []byte("active: 1\nkeys:\n  1: "+secret+"\n"), 0o600))
}

// check runs walletctl, which must find the chains closed, and watches its
// memory.
func (c *chain) check(ctx context.Context) (float64, error) {
	var output strings.Builder
	walletctl := exec.CommandContext(ctx, os.Getenv("BENCH_WALLETCTL"), "chaincheck", "--all", "--workers", "2", "--output", "json")
	walletctl.Env = append(os.Environ(), "DATABASE_REPLICA_URL="+c.url, "LEDGER_KEYS_FILE="+c.keys)
	walletctl.Stdout, walletctl.Stderr = &output, &output
	begin := time.Now()
	if err := walletctl.Start(); err != nil {
		return 0, err
	}
	ended := make(chan error, 1)
	go func() { ended <- walletctl.Wait() }()
	for {
		select {
		case err := <-ended:
			if err != nil {
				return 0, fmt.Errorf("walletctl chaincheck: %w: %s", err, output.String())
			}
			return float64(c.entries) / time.Since(begin).Seconds(), nil
		case <-time.After(20 * time.Millisecond):
			c.peak = max(c.peak, highWater(walletctl.Process.Pid))
		}
	}
}

// highWater returns the most memory that a process took so far, in MB. What
// wait4 tells of a child counts the parent's memory in.
func highWater(pid int) float64 {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return 0 // it has just ended
	}
	kilobytes, err := after(string(status), "VmHWM:")
	if err != nil {
		return 0
	}
	return kilobytes * 1024 / 1e6
}

// window is the chain check that SQL alone can do: arithmetic, no hashes.
const window = `
select count(*)
from (
  select seq, real_before, bonus_before,
    lag(seq) over chain as last_seq, lag(real_after) over chain as last_real, lag(bonus_after) over chain as last_bonus
  from gaming.entries
  where wallet_id %s '80000000-0000-0000-0000-000000000000'
  window chain as (partition by wallet_id order by seq)) e
where seq <> last_seq + 1 or real_before <> last_real or bonus_before <> last_bonus`

// window runs the query over each half of the wallets on a connection of its
// own.
func (c *chain) window(ctx context.Context) (float64, error) {
	begin := time.Now()
	both, ctx := errgroup.WithContext(ctx)
	for _, half := range []string{"<", ">="} {
		both.Go(func() error {
			conn, err := pgx.Connect(ctx, c.url)
			if err != nil {
				return err
			}
			defer conn.Close(context.Background())
			var broken int
			if err := conn.QueryRow(ctx, fmt.Sprintf(window, half)).Scan(&broken); err != nil {
				return err
			}
			if broken != 0 {
				return fmt.Errorf("%d entries do not follow the one before", broken)
			}
			return nil
		})
	}
	err := both.Wait()
	return float64(c.entries) / time.Since(begin).Seconds(), err
}
