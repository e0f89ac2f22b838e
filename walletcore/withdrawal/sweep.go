package withdrawal

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/walletctl/walletctl/walletcore/casework"
	"github.com/walletctl/walletctl/walletcore/job"
)

// A withdrawal and its job commit together, so one without the other is lost,
// not early. A case that a person closed stays closed as long as the job was
// not tried again: its cause names the attempt.
const findLost = `
select w.id, '', w.%[1]s, coalesce(j.state::text, ''), coalesce(j.attempt, 0)
from casino.withdrawals w
left join casino.river_job j on j.id = w.%[1]s
where w.status = '%[2]s' and %[3]s
  and (j.id is null or j.state = 'completed'
    or (j.state in ('discarded', 'cancelled') and not exists (
      select from casino.cases c
      where c.subject_type = 'withdrawal' and c.subject_id = w.id and c.kind in ('%[4]s', '%[5]s', 'key_conflict')
        and (c.closed_at is null or c.cause = format('job %%s attempt %%s', j.id, j.attempt)))))
order by w.created_at
limit $1`

const lockLost = selectWithdrawal + `
where id = $1 and %[1]s = $2 and status = '%[2]s' and %[3]s
for no key update`

const setJob = `
update casino.withdrawals
set %[1]s = $2, next_attempt_at = $3
where id = $1`

// sweep finds the withdrawals whose step no job will do.
func (s *Service) sweep(st step) job.Sweep {
	lock := fmt.Sprintf(lockLost, st.column, st.from, st.open)
	return job.Sweep{
		Find: fmt.Sprintf(findLost, st.column, st.from, st.open, st.exhausted, st.invalid),
		Restore: func(ctx context.Context, tx pgx.Tx, lost *job.Lost) (bool, error) {
			w, err := read(ctx, tx, lock, lost.ID, lost.JobID)
			if errors.Is(err, ErrNotFound) {
				return false, nil // somebody else saw to it
			}
			if err != nil {
				return false, err
			}
			return true, s.restore(ctx, tx, st, &w, lost)
		},
		GiveUp: func(ctx context.Context, tx pgx.Tx, lost *job.Lost) (bool, error) {
			w, err := read(ctx, tx, lock, lost.ID, lost.JobID)
			if errors.Is(err, ErrNotFound) {
				return false, nil
			}
			if err != nil {
				return false, err
			}
			return true, s.giveUp(ctx, tx, st, &w, lost)
		},
	}
}

func (s *Service) restore(ctx context.Context, tx pgx.Tx, st step, w *Withdrawal, lost *job.Lost) error {
	jobID, err := s.opts.Queue.Requeue(ctx, tx, lost, func() (int64, error) {
		return s.insert(ctx, tx, st.lane, st.args(w.ID))
	})
	if err != nil {
		return err
	}
	if err := settle(ctx, tx, fmt.Sprintf(setJob, st.column), w.ID, jobID, s.now()); err != nil {
		return err
	}
	return addEvent(ctx, tx, Event{
		WithdrawalID: w.ID, Kind: EventJobRestored, Detail: fmt.Sprintf("%s: job %d, was %d", st.name, jobID, lost.JobID),
	})
}

const clearNextAttempt = `
update casino.withdrawals
set next_attempt_at = null
where id = $1`

func (s *Service) giveUp(ctx context.Context, tx pgx.Tx, st step, w *Withdrawal, lost *job.Lost) error {
	if err := settle(ctx, tx, clearNextAttempt, w.ID); err != nil {
		return err
	}
	return openCase(ctx, tx, w, casework.New{
		Kind: st.exhausted, Cause: casework.AttemptCause(lost.JobID, lost.Attempt),
		Detail: casework.Detail{
			Reason: "the job queue gave it up: " + st.given, Found: string(lost.State), Attempts: w.Attempts, Error: w.LastError,
		},
	})
}
