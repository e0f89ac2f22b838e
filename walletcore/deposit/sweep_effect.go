package deposit

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/walletctl/walletctl/walletcore/casework"
	"github.com/walletctl/walletctl/walletcore/job"
)

const findLostEffects = `
select e.deposit_id, e.effect, e.job_id, coalesce(j.state::text, ''), coalesce(j.attempt, 0)
from casino.effects e
left join casino.river_job j on j.id = e.job_id
where e.published_at is null
  and (j.id is null or j.state = 'completed'
    or (j.state in ('discarded', 'cancelled') and not exists (
      select from casino.cases c
      where c.subject_type = 'effect' and c.subject_id = e.deposit_id || '/' || e.effect
        and c.kind = 'effect_exhausted'
        and (c.closed_at is null or c.cause = format('job %s attempt %s', j.id, j.attempt)))))
order by e.recorded_at
limit $1`

const lockLostEffect = `
select coalesce(last_error, '')
from casino.effects
where deposit_id = $1 and effect = $2 and job_id = $3 and published_at is null
for no key update`

const setEffectJob = `
update casino.effects
set job_id = $3
where deposit_id = $1 and effect = $2`

// lockEffect locks the effect if it is still lost, and returns its last error.
func lockEffect(ctx context.Context, tx pgx.Tx, w *job.Lost) (lastError string, found bool, err error) {
	err = tx.QueryRow(ctx, lockLostEffect, w.ID, w.Part, w.JobID).Scan(&lastError)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", false, nil
	}
	if err != nil {
		return "", false, fmt.Errorf("lock effect: %w", err)
	}
	return lastError, true, nil
}

func (s *Service) restoreEffect(ctx context.Context, tx pgx.Tx, w *job.Lost) (bool, error) {
	if _, found, err := lockEffect(ctx, tx, w); !found || err != nil {
		return false, err
	}
	d, err := readDeposit(ctx, tx, selectDepositByID, w.ID)
	if err != nil {
		return false, err
	}
	jobID, err := s.opts.Queue.Requeue(ctx, tx, w, func() (int64, error) {
		return s.queueEffect(ctx, tx, w.ID, w.Part, d.CorrelationID)
	})
	if err != nil {
		return false, err
	}
	return true, exactlyOne(ctx, tx, setEffectJob, w.ID, w.Part, jobID)
}

func (s *Service) giveUpEffect(ctx context.Context, tx pgx.Tx, w *job.Lost) (bool, error) {
	lastError, found, err := lockEffect(ctx, tx, w)
	if !found || err != nil {
		return false, err
	}
	return true, s.openEffectCase(ctx, tx, w.ID, w.Part, casework.AttemptCause(w.JobID, w.Attempt), lastError)
}
