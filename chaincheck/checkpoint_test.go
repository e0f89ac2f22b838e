package chaincheck_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/chaincheck"
	"github.com/walletctl/walletctl/chaincheck/chaintest"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// cut removes the entries of a wallet above a seq and sets its balance back:
// what is left is a chain that is closed.
const cut = `
with gone as (delete from gaming.entries where wallet_id = $1 and seq > 3),
unreceipted as (delete from gaming.receipts where wallet_id = $1 and seq > 3)
update gaming.wallets w
set seq = e.seq, real = e.real_after, head = e.hash
from gaming.entries e
where w.id = $1 and e.wallet_id = w.id and e.seq = 3`

func TestCheckpoint_FindsEntriesCutOffTheEnd(t *testing.T) {
	t.Parallel()
	f := newFixture(t, chaintest.Spec{Wallets: 9, Deposits: 5})
	state := t.TempDir()
	first := f.run(t, chaincheck.Options{StateDir: state})
	requireClosed(t, first)
	require.True(t, first.Checkpoint.Advanced)
	require.EqualValues(t, 9, first.Checkpoint.Wallets)

	id := f.spec.Wallet(4).ID()
	f.plant(t, cut, id)
	requireClosed(t, f.run(t, chaincheck.Options{All: true})) // nothing else can see it
	for range 2 {                                             // and it is seen again by every later run
		report := f.run(t, chaincheck.Options{StateDir: state})
		require.Equal(t, 2, report.ExitCode())
		require.Equal(t, []chaincheck.Kind{chaincheck.KindTruncated}, kindsAt(report))
		finding := report.Findings[0]
		require.Equal(t, id, finding.WalletID)
		require.EqualValues(t, 5, finding.Seq)
		require.Contains(t, finding.Found, "seq 3")
		require.Equal(t, byte('-'), finding.Difference[0], "money is gone: %s", finding.Difference)
		require.Equal(t, first.Checkpoint.LastGood, report.Checkpoint.LastGood)
	}
}

func TestCheckpoint_FindsAChainCutAndWrittenAgain(t *testing.T) {
	t.Parallel()
	f := newFixture(t, chaintest.Spec{Wallets: 3, Deposits: 5})
	state := t.TempDir()
	requireClosed(t, f.run(t, chaincheck.Options{StateDir: state}))
	chaintest.Rewrite(t, f.owner, f.keys, f.spec.Wallet(1), 4, 9) // with the right key
	wallettest.WaitForReplica(t)
	requireClosed(t, f.run(t, chaincheck.Options{All: true}))
	report := f.run(t, chaincheck.Options{StateDir: state, Window: time.Minute})
	require.Equal(t, []chaincheck.Kind{chaincheck.KindTruncated}, kindsAt(report))
	require.EqualValues(t, 5, report.Findings[0].Seq)
}

func TestCheckpoint_FindsAWalletThatIsGone(t *testing.T) {
	t.Parallel()
	f := newFixture(t, chaintest.Spec{Wallets: 3, Deposits: 2})
	state := t.TempDir()
	requireClosed(t, f.run(t, chaincheck.Options{StateDir: state}))
	id := f.spec.Wallet(1).ID()
	f.plant(t, `delete from gaming.entries where wallet_id = $1`, id)
	f.plant(t, `delete from gaming.receipts where wallet_id = $1`, id)
	f.plant(t, `delete from gaming.wallets where id = $1`, id)
	requireClosed(t, f.run(t, chaincheck.Options{All: true}))
	for _, options := range []chaincheck.Options{{}, {All: true}, {Wallet: id}} {
		options.StateDir = state
		report, err := chaincheck.Run(context.Background(), f.deps(), options)
		require.NoError(t, err)
		require.Equal(t, []chaincheck.Kind{chaincheck.KindTruncated}, kindsAt(report))
		require.Equal(t, id, report.Findings[0].WalletID)
	}
	report := f.run(t, chaincheck.Options{StateDir: state, Brand: "acme", All: true})
	requireClosed(t, report) // whose it was cannot be known any more
	require.EqualValues(t, 3, report.Checkpoint.Wallets, "and it is not forgotten")
}

func TestCheckpoint_ALimitedRunDoesNotShrinkIt(t *testing.T) {
	t.Parallel()
	f := newFixture(t, chaintest.Spec{Wallets: 6, Deposits: 2})
	chaintest.Load(t, f.owner, f.keys, chaintest.Spec{Brand: "other", Prefix: "o", Wallets: 4, Deposits: 2, Receipts: true})
	wallettest.WaitForReplica(t)
	state := t.TempDir()
	one := f.run(t, chaincheck.Options{StateDir: state, Wallet: f.spec.Wallet(0).ID()})
	require.EqualValues(t, 1, one.Checkpoint.Wallets)
	require.Zero(t, one.Checkpoint.LastGood)
	brand := f.run(t, chaincheck.Options{StateDir: state, Brand: "other"})
	require.EqualValues(t, 5, brand.Checkpoint.Wallets)
	require.Zero(t, brand.Checkpoint.LastGood)
	whole := f.run(t, chaincheck.Options{StateDir: state})
	require.EqualValues(t, 10, whole.Checkpoint.Wallets)
	require.WithinDuration(t, whole.StartedAt, whole.Checkpoint.LastGood, time.Minute)
	again := f.run(t, chaincheck.Options{StateDir: state, Wallet: f.spec.Wallet(0).ID()})
	require.EqualValues(t, 10, again.Checkpoint.Wallets)
	require.Equal(t, whole.Checkpoint.LastGood, again.Checkpoint.LastGood)
}

func TestCheckpoint_TheWindowReachesBackToTheLastGoodRun(t *testing.T) {
	t.Parallel()
	f := newFixture(t, chaintest.Spec{Wallets: 2, Deposits: 2})
	state := t.TempDir()
	week := 7 * 24 * time.Hour
	deps := f.deps()
	deps.Clock = func() time.Time { return time.Now().Add(-week) }
	first, err := chaincheck.Run(context.Background(), deps, chaincheck.Options{StateDir: state})
	require.NoError(t, err)
	report := f.run(t, chaincheck.Options{StateDir: state})
	requireClosed(t, report)
	require.Equal(t, first.Checkpoint.LastGood.Add(-time.Hour), report.WindowStart)
	require.WithinDuration(t, time.Now().Add(-week-time.Hour), report.WindowStart, 5*time.Minute)
}

func TestCheckpoint_WhatCameSinceIsReadHoweverOldItClaimsToBe(t *testing.T) {
	t.Parallel()
	f := newFixture(t, chaintest.Spec{Wallets: 2, Deposits: 2})
	state := t.TempDir()
	requireClosed(t, f.run(t, chaincheck.Options{StateDir: state}))
	chaintest.Rewrite(t, f.owner, f.keys, f.spec.Wallet(1), 3, 9)
	f.plant(t, `update gaming.entries set recorded_at = '2001-01-01' where wallet_id = $1 and seq > 2`, f.spec.Wallet(1).ID())
	report := f.run(t, chaincheck.Options{StateDir: state})
	require.EqualValues(t, 7, report.FindingsByKind[chaincheck.KindHash])
}

func TestCheckpoint_TamperedFileIsUnknownAndLeftAsItIs(t *testing.T) {
	t.Parallel()
	f := newFixture(t, chaintest.Spec{Wallets: 4, Deposits: 1})
	state := t.TempDir()
	requireClosed(t, f.run(t, chaincheck.Options{StateDir: state}))
	path := filepath.Join(state, "checkpoint")
	good, err := os.ReadFile(path)
	require.NoError(t, err)
	for name, change := range map[string]func([]byte) []byte{
		"seq of a wallet":  func(b []byte) []byte { b[98+72+23]--; return b },
		"last record gone": func(b []byte) []byte { return b[:len(b)-72] },
		"half a record":    func(b []byte) []byte { return b[:len(b)-10] },
		"time of last run": func(b []byte) []byte { b[12]++; return b },
		"signature":        func(b []byte) []byte { b[97]++; return b },
		"another file":     func([]byte) []byte { return []byte("what is this?") },
		"empty":            func([]byte) []byte { return nil },
		"key nobody has":   func(b []byte) []byte { b[9] = 77; return b },
		"records exchanged": func(b []byte) []byte {
			return append(append(append(b[:98:98], b[170:242]...), b[98:170]...), b[242:]...)
		},
	} {
		bad := change(append([]byte(nil), good...))
		require.NoError(t, os.WriteFile(path, bad, 0o600))
		report := f.run(t, chaincheck.Options{StateDir: state})
		require.Equal(t, chaincheck.StatusUnknown, report.Status, name)
		require.Equal(t, chaincheck.WarnCheckpoint, report.Warnings[0].Code, name)
		require.EqualValues(t, 4, report.WalletsChecked, "the chains are checked all the same")
		after, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, string(bad), string(after), name)
	}
}

func TestCheckpoint_WithoutKeysItIsComparedAndNotMoved(t *testing.T) {
	t.Parallel()
	f := newFixture(t, chaintest.Spec{Wallets: 2, Deposits: 5})
	state := t.TempDir()
	requireClosed(t, f.run(t, chaincheck.Options{StateDir: state}))
	f.plant(t, cut, f.spec.Wallet(0).ID())
	report, err := chaincheck.Run(context.Background(), chaincheck.Deps{Pool: f.pool}, chaincheck.Options{StateDir: state})
	require.NoError(t, err)
	require.Equal(t, []chaincheck.Kind{chaincheck.KindTruncated}, kindsAt(report))
	require.False(t, report.Checkpoint.Verified)
	require.False(t, report.Checkpoint.Advanced)
}

func TestState_OneRunAtATime(t *testing.T) {
	t.Parallel()
	f := newFixture(t, chaintest.Spec{Wallets: 2, Deposits: 1})
	state := t.TempDir()
	inside := make(chan struct{})
	leave := make(chan struct{})
	done := make(chan chaincheck.Report)
	go func() {
		report, _ := chaincheck.Run(context.Background(), f.deps(), chaincheck.Options{
			StateDir: state,
			Progress: func() func(chaincheck.Progress) {
				first := true
				return func(chaincheck.Progress) {
					if first {
						first = false
						close(inside)
						<-leave
					}
				}
			}(),
		})
		done <- report
	}()
	<-inside
	report, err := chaincheck.Run(context.Background(), f.deps(), chaincheck.Options{StateDir: state})
	require.ErrorIs(t, err, chaincheck.ErrLocked)
	require.Equal(t, 3, report.ExitCode())
	close(leave)
	requireClosed(t, <-done)
	requireClosed(t, f.run(t, chaincheck.Options{StateDir: state}))
	left, err := filepath.Glob(filepath.Join(state, "run-*"))
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestState_ReplicaBeforeTheCheckpointCannotTell(t *testing.T) {
	t.Parallel()
	f := newFixture(t, chaintest.Spec{Wallets: 2, Deposits: 5})
	state := t.TempDir()
	requireClosed(t, f.run(t, chaincheck.Options{StateDir: state}))
	chaintest.MoveCheckpoint(t, filepath.Join(state, "checkpoint"), f.keys, 1<<62)
	report := f.run(t, chaincheck.Options{StateDir: state})
	require.Equal(t, chaincheck.StatusUnknown, report.Status)
	require.Equal(t, chaincheck.WarnBehind, report.Warnings[0].Code)
	require.False(t, report.Checkpoint.Advanced)
}
