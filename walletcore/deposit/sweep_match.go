package deposit

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/walletctl/walletctl/walletcore/casework"
	"github.com/walletctl/walletctl/walletcore/inbox"
	"github.com/walletctl/walletctl/walletcore/job"
	"github.com/walletctl/walletctl/walletcore/pgtx"
)

// Opening the case settles the message, so no case has to be looked for.
const findLostMatches = `
select m.id, '', m.job_id, coalesce(j.state::text, ''), coalesce(j.attempt, 0)
from casino.gateway_messages m
left join casino.river_job j on j.id = m.job_id
where m.result = 'unmatched' and (j.id is null or j.state in ('completed', 'discarded', 'cancelled'))
order by m.received_at
limit $1`

const setMatchJob = `
update casino.gateway_messages
set job_id = $2
where id = $1 and result = 'unmatched' and job_id = $3`

func (s *Service) restoreMatch(ctx context.Context, tx pgx.Tx, w *job.Lost) (bool, error) {
	n, err := inbox.Read(ctx, tx, w.ID)
	if err != nil {
		return false, err
	}
	jobID, err := s.opts.Queue.Requeue(ctx, tx, w, func() (int64, error) { return s.queueMatch(ctx, tx, &n) })
	if err != nil {
		return false, err
	}
	tag, err := tx.Exec(ctx, setMatchJob, w.ID, jobID, w.JobID)
	if err != nil {
		return false, fmt.Errorf("set job of message: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return false, pgtx.ErrSettled
	}
	return true, nil
}

// giveUpLostMatch tries the message once more itself, and opens the case where
// its deposit is unknown still.
func (s *Service) giveUpLostMatch(ctx context.Context, tx pgx.Tx, w *job.Lost) (bool, error) {
	n, err := inbox.Read(ctx, tx, w.ID)
	if err != nil {
		return false, err
	}
	_, err = s.match(ctx, tx, &n, true, casework.AttemptCause(w.JobID, w.Attempt))
	return err == nil, err
}
