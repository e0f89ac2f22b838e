package chaincheck_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/chaincheck"
	"github.com/walletctl/walletctl/chaincheck/chaintest"
)

func TestRun_AReplicaInTroubleNeverReadsAsClosed(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts servers of its own")
	}
	s := newOwnStack(t)
	spec := chaintest.Spec{Wallets: 100, Deposits: 1500, Receipts: true}
	chaintest.Load(t, s.env["OWNER_DATABASE_URL"], chaintest.Keys(t), spec)
	s.catchUp(t)

	for _, step := range []struct {
		name string
		test func(*testing.T, *ownStack)
	}{
		{"idle", idleReplica},
		{"cancelled", cancelledReplica},
		{"terminated", terminatedReplica},
		{"cancelled always", hopelessReplica},
		{"unreadable", unreadableReplica},
		{"delayed", delayedReplica},
		{"paused", pausedReplica},
		{"broken and primary stopped", primaryStopped},
		{"replica stopped", replicaStopped},
	} {
		if !t.Run(step.name, func(t *testing.T) { step.test(t, s) }) {
			return
		}
	}
}

func idleReplica(t *testing.T, s *ownStack) {
	report, err := s.check(t, chaincheck.Options{All: true})
	require.NoError(t, err)
	requireClosed(t, report)
	require.True(t, report.Replica.InRecovery)
	require.True(t, report.Replica.Connected)
	require.NotEmpty(t, report.Replica.ReplayLSN)
	require.EqualValues(t, 100*1501, report.HashesVerified)
}

// cancelledReplica has recovery cancel every statement whose snapshot is older
// than what it wants to remove.
func cancelledReplica(t *testing.T, s *ownStack) {
	s.exec(t, "ADMIN_REPLICA_URL", `alter system set max_standby_streaming_delay = 0`, `select pg_reload_conf()`)
	ctx, cancel := context.WithCancel(context.Background())
	vacuumed := make(chan struct{})
	go func() {
		defer close(vacuumed)
		vacuum(ctx, s.env["OWNER_DATABASE_URL"])
	}()
	defer func() { cancel(); <-vacuumed }()
	var retries int64
	for run := 0; run < 50 && retries == 0; run++ {
		report, err := s.check(t, chaincheck.Options{All: true, Attempts: 20})
		require.NoError(t, err)
		requireClosed(t, report)
		require.EqualValues(t, 100*1501, report.HashesVerified, "no entry is skipped or read twice")
		retries = report.Retries
	}
	require.Positive(t, retries, "nothing was cancelled")
}

// vacuum makes dead rows and removes them, ten times a second until ctx is
// done.
func vacuum(ctx context.Context, ownerURL string) {
	conn, err := pgx.Connect(ctx, ownerURL)
	if err != nil {
		return
	}
	defer conn.Close(context.Background())
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	for ctx.Err() == nil {
		<-ticker.C
		_, _ = conn.Exec(ctx, `update gaming.heartbeat set beat_at = clock_timestamp()`)
		_, _ = conn.Exec(ctx, `vacuum gaming.heartbeat`)
	}
}

// terminatedReplica has an administrator end the checker's connections.
func terminatedReplica(t *testing.T, s *ownStack) {
	ctx := context.Background()
	admin, err := pgx.Connect(ctx, s.env["ADMIN_REPLICA_URL"])
	require.NoError(t, err)
	defer admin.Close(ctx)
	var ended int
	report, err := s.check(t, chaincheck.Options{
		All: true, BatchSize: 5000, Progress: func(chaincheck.Progress) {
			if ended < 2 {
				err := admin.QueryRow(ctx, `select count(pg_terminate_backend(pid)) from pg_stat_activity where usename = 'auditor'`).Scan(&ended)
				require.NoError(t, err)
			}
		},
	})
	require.NoError(t, err)
	requireClosed(t, report)
	require.Positive(t, ended)
	require.EqualValues(t, 100*1501, report.HashesVerified)
}

// hopelessReplica cancels every statement after a millisecond.
func hopelessReplica(t *testing.T, s *ownStack) {
	s.exec(t, "ADMIN_DATABASE_URL", `alter role auditor set statement_timeout = '1ms'`)
	s.wait(t, "ADMIN_REPLICA_URL", `select count(*) > 0 from pg_roles where rolname = 'auditor' and 'statement_timeout=1ms' = any(rolconfig)`)
	report, err := s.check(t, chaincheck.Options{All: true, Attempts: 2})
	require.Equal(t, chaincheck.StatusUnknown, report.Status)
	require.Equal(t, 3, report.ExitCode())
	require.Empty(t, report.Findings)
	require.True(t, err != nil || report.UnreadCount > 0)
	s.exec(t, "ADMIN_DATABASE_URL", `alter role auditor reset statement_timeout`)
	s.wait(t, "ADMIN_REPLICA_URL", `select count(*) > 0 from pg_roles where rolname = 'auditor' and rolconfig is null`)
}

// unreadableReplica hides one table.
func unreadableReplica(t *testing.T, s *ownStack) {
	for table, part := range map[string]string{"receipts": "receipts", "entries": "wallets"} {
		s.exec(t, "OWNER_DATABASE_URL", `revoke select on gaming.`+table+` from auditor`)
		s.catchUp(t)
		report, err := s.check(t, chaincheck.Options{All: true})
		require.NoError(t, err)
		require.Equal(t, 3, report.ExitCode(), table)
		require.Equal(t, part, report.Unread[0].Part)
		require.Contains(t, report.Unread[0].Reason, "permission denied")
		s.exec(t, "OWNER_DATABASE_URL", `grant select on gaming.`+table+` to auditor`)
		s.catchUp(t)
	}
}

func delayedReplica(t *testing.T, s *ownStack) {
	s.exec(t, "ADMIN_REPLICA_URL", `alter system set recovery_min_apply_delay = '1h'`, `select pg_reload_conf()`)
	s.exec(t, "OWNER_DATABASE_URL", `update gaming.heartbeat set beat_at = clock_timestamp()`)
	s.wait(t, "ADMIN_REPLICA_URL", `select pg_last_wal_replay_lsn() < latest_end_lsn from pg_stat_wal_receiver`)
	report, err := s.check(t, chaincheck.Options{})
	require.NoError(t, err)
	requireClosed(t, report) // behind, but by less than the limit
	require.Positive(t, report.Replica.LagMillis)

	report, err = s.check(t, chaincheck.Options{MaxLag: time.Millisecond})
	require.NoError(t, err)
	require.Equal(t, chaincheck.StatusWarning, report.Status)
	require.Equal(t, chaincheck.WarnLag, report.Warnings[0].Code)
	s.exec(t, "ADMIN_REPLICA_URL", `alter system set recovery_min_apply_delay = 0`, `select pg_reload_conf()`)
	s.catchUp(t)
}

func pausedReplica(t *testing.T, s *ownStack) {
	s.exec(t, "ADMIN_REPLICA_URL", `select pg_wal_replay_pause()`)
	s.wait(t, "ADMIN_REPLICA_URL", `select pg_get_wal_replay_pause_state() = 'paused'`)
	report, err := s.check(t, chaincheck.Options{})
	require.NoError(t, err)
	require.Equal(t, chaincheck.StatusWarning, report.Status)
	require.Equal(t, chaincheck.WarnPaused, report.Warnings[len(report.Warnings)-1].Code)
	s.exec(t, "ADMIN_REPLICA_URL", `select pg_wal_replay_resume()`)
}

// primaryStopped leaves a replica that is perfectly closed, and may be days
// old tomorrow.
func primaryStopped(t *testing.T, s *ownStack) {
	s.command(t, "stop", "postgres")
	report, err := s.check(t, chaincheck.Options{})
	require.NoError(t, err)
	require.Equal(t, chaincheck.StatusUnknown, report.Status)
	require.Equal(t, chaincheck.WarnDisconnected, report.Warnings[0].Code)
	require.EqualValues(t, 100, report.WalletsChecked)

	s.command(t, "start", "postgres")
	s.catchUp(t)
	spec := chaintest.Spec{}
	chaintest.Plant(t, s.env["OWNER_DATABASE_URL"], `update gaming.wallets set real = real + 1 where id = $1`, spec.Wallet(5).ID())
	s.catchUp(t)
	s.command(t, "stop", "postgres")
	report, err = s.check(t, chaincheck.Options{})
	require.NoError(t, err)
	require.Equal(t, 2, report.ExitCode(), "a break is a break")
}

func replicaStopped(t *testing.T, s *ownStack) {
	s.command(t, "stop", "replica")
	report, err := s.check(t, chaincheck.Options{Attempts: 2})
	require.Error(t, err)
	require.Equal(t, 3, report.ExitCode())
	require.NotEmpty(t, report.Error)
}
