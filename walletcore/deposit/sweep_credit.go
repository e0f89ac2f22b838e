package deposit

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/walletctl/walletctl/walletcore/casework"
	"github.com/walletctl/walletctl/walletcore/job"
)

// A deposit and its job commit together, so one without the other is lost, not
// early. A case that a person closed stays closed as long as the job was not
// tried again: its cause names the attempt.
const findLostCredits = `
select d.id, '', d.job_id, coalesce(j.state::text, ''), coalesce(j.attempt, 0)
from casino.deposits d
left join casino.river_job j on j.id = d.job_id
where d.status = 'confirmed'
  and (j.id is null or j.state = 'completed'
    or (j.state in ('discarded', 'cancelled') and not exists (
      select from casino.cases c
      where c.subject_type = 'deposit' and c.subject_id = d.id
        and c.kind in ('credit_exhausted', 'credit_invalid', 'key_conflict')
        and (c.closed_at is null or c.cause = format('job %s attempt %s', j.id, j.attempt)))))
order by d.confirmed_at
limit $1`

const lockLostCredit = selectDeposit + `
where id = $1 and job_id = $2 and status = 'confirmed'
for no key update`

const setCreditJob = `
update casino.deposits
set job_id = $2, next_attempt_at = $3
where id = $1`

func (s *Service) restoreCredit(ctx context.Context, tx pgx.Tx, w *job.Lost) (bool, error) {
	d, err := readDeposit(ctx, tx, lockLostCredit, w.ID, w.JobID)
	if errors.Is(err, ErrNotFound) {
		return false, nil // somebody else saw to it
	}
	if err != nil {
		return false, err
	}
	jobID, err := s.opts.Queue.Requeue(ctx, tx, w, func() (int64, error) {
		return s.queueCredit(ctx, tx, d.ID, d.CorrelationID)
	})
	if err != nil {
		return false, err
	}
	if err := exactlyOne(ctx, tx, setCreditJob, d.ID, jobID, s.now()); err != nil {
		return false, err
	}
	return true, addEvent(ctx, tx, Event{
		DepositID: d.ID, Kind: EventJobRestored, Detail: fmt.Sprintf("job %d, was %d", jobID, w.JobID),
	})
}

const clearNextAttempt = `
update casino.deposits
set next_attempt_at = null
where id = $1`

func (s *Service) giveUpCredit(ctx context.Context, tx pgx.Tx, w *job.Lost) (bool, error) {
	d, err := readDeposit(ctx, tx, lockLostCredit, w.ID, w.JobID)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err := exactlyOne(ctx, tx, clearNextAttempt, d.ID); err != nil {
		return false, err
	}
	return true, openCreditCase(ctx, tx, d.Brand, d.ID, CaseCreditExhausted, casework.AttemptCause(w.JobID, w.Attempt), casework.Detail{
		Reason: "the job queue gave the credit up", Found: string(w.State), Attempts: d.Attempts, Error: d.LastError,
	})
}
