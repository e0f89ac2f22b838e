package chaincheck

import (
	"context"
	"fmt"
	"time"
)

const (
	// receiptLimit is how long ago the receiver may have heard of the primary.
	// It asks for an answer after half of wal_receiver_timeout, 30 s by default,
	// so one that hears nothing for two minutes talks to nobody.
	receiptLimit = 2 * time.Minute
	// reconnectTime is what a receiver is given to come back before the replica
	// counts as disconnected.
	reconnectTime = 3 * time.Second
	noLag         = -1
)

// replicaQuery asks the server how far it has come. pg_stat_wal_receiver shows
// its columns to members of pg_monitor only.
const replicaQuery = `
select pg_is_in_recovery(),
  coalesce(case when pg_is_in_recovery() then pg_is_wal_replay_paused() end, false),
  coalesce(case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end, '0/0')::text,
  (coalesce(case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end, '0/0') - '0/0'::pg_lsn)::bigint,
  r.pid is not null,
  coalesce(r.status, ''),
  coalesce(extract(epoch from clock_timestamp() - r.last_msg_receipt_time)::bigint, 0),
  coalesce(pg_last_wal_replay_lsn() >= r.latest_end_lsn, false),
  coalesce(extract(epoch from clock_timestamp() - greatest(h.beat_at, pg_last_xact_replay_timestamp())) * 1000, -1)::bigint,
  h.beat_at
from (select) one
left join pg_stat_wal_receiver r on true
left join gaming.heartbeat h on true`

// replicaState is the server's answer.
type replicaState struct {
	Replica
	position uint64
	caughtUp bool

	receiver   bool
	status     string
	silent     time.Duration
	agedMillis int64
}

// readReplica returns how far the server has come. One that is not connected
// is given a moment to come back.
func (r *run) readReplica(ctx context.Context) (replicaState, error) {
	began := time.Now()
	for try := 1; ; try++ {
		var s replicaState
		err := r.reader.retry(ctx, func() (bool, error) {
			var err error
			s, err = r.askReplica(ctx)
			return false, err
		})
		if err != nil || s.Connected || time.Since(began) > reconnectTime {
			return s, err
		}
		if err := pause(ctx, try); err != nil {
			return s, err
		}
	}
}

func (r *run) askReplica(ctx context.Context) (replicaState, error) {
	ctx, cancel := context.WithTimeout(ctx, r.reader.timeout)
	defer cancel()
	var s replicaState
	var position int64
	var silent int64
	var beat *time.Time
	err := r.deps.Pool.QueryRow(ctx, replicaQuery).Scan(&s.InRecovery, &s.Paused, &s.ReplayLSN, &position,
		&s.receiver, &s.status, &silent, &s.caughtUp, &s.agedMillis, &beat)
	if err != nil {
		return s, err
	}
	s.position, s.silent = uint64(position), time.Duration(silent)*time.Second
	if beat != nil {
		s.BeatAt = beat.UTC()
	}
	s.judge()
	return s, nil
}

// judge decides whether the replica is connected and how far it is behind. Time
// alone misleads on an idle primary, and a position alone on a dead one: a
// replica that has all it was sent, and hears from its primary, is not behind.
func (s *replicaState) judge() {
	switch {
	case !s.InRecovery:
		s.Connected, s.caughtUp = true, true
	case !s.receiver:
		s.Detail = "no process receives from the primary"
	case s.status == "":
		s.Detail = "the state of the receiver cannot be seen. Try: grant pg_monitor to this login"
	case s.status != "streaming":
		s.Detail = "the receiver is " + s.status + ", not streaming"
	case s.silent > receiptLimit:
		s.Detail = fmt.Sprintf("the receiver has heard nothing from the primary for %s", s.silent)
	default:
		s.Connected = true
	}
	s.LagMillis = s.agedMillis
	if s.Connected && s.caughtUp {
		s.LagMillis = 0
	}
}

// checkReplica adds the warnings that the state of the server calls for.
func (r *run) checkReplica(s *replicaState) {
	report := &r.report
	report.Replica = s.Replica
	report.WindowEnd = r.now()
	if s.LagMillis > 0 {
		report.WindowEnd = report.WindowEnd.Add(-s.Lag())
	}
	switch {
	case !s.Connected:
		r.warn(WarnDisconnected, "the replica is not connected to its primary: "+s.Detail)
	case s.LagMillis == noLag:
		r.warn(WarnLag, "how far the replica is behind cannot be told: it has no heartbeat")
	case s.Lag() > r.options.MaxLag:
		r.warn(WarnLag, fmt.Sprintf("the replica is %s behind, more than %s", s.Lag().Round(time.Second), r.options.MaxLag))
	}
	if s.Paused {
		r.warn(WarnPaused, "somebody has paused replay on the replica. Try: select pg_wal_replay_resume()")
	}
	if !s.InRecovery {
		r.note("the server is a primary, not a replica: its load is the players' load")
	}
}
