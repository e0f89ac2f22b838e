package deposit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river/rivertype"
)

// Swept is what a sweep found and did.
type Swept struct {
	Restored int // jobs that were missing, queued again
	Cases    int // jobs that were given up without a case, now with one
}

const sweepBatch = 500

// lostWork is unfinished work whose job will not finish it.
type lostWork struct {
	id      string // of the deposit or the message
	effect  string // the name of the effect
	jobID   int64
	state   rivertype.JobState // empty where the job is gone
	attempt int
}

// sweeping is one kind of work that a job has to finish, and what the sweep
// does about it. find selects id, effect, job, its state and its attempt.
type sweeping struct {
	find    string
	restore func(context.Context, pgx.Tx, *lostWork) (bool, error)
	giveUp  func(context.Context, pgx.Tx, *lostWork) (bool, error)
}

func (s *Service) sweepings() []sweeping {
	return []sweeping{
		{findLostCredits, s.restoreCredit, s.giveUpCredit},
		{findLostEffects, s.restoreEffect, s.giveUpEffect},
		{findLostMatches, s.restoreMatch, s.giveUpLostMatch},
	}
}

// SweepLost looks for work that no job will finish: one whose job is gone gets
// a new one, one whose job was given up without anybody being told (the queue
// discards a killed process's last attempt by itself) gets its case. Any number
// of sweeps may run at the same time.
//
// One that cannot be seen to does not keep the others waiting: the error holds
// all that failed, and Swept tells what was done all the same.
func (s *Service) SweepLost(ctx context.Context) (Swept, error) {
	var swept Swept
	var failed []error
	for _, kind := range s.sweepings() {
		lost, err := s.findLost(ctx, kind.find)
		if err != nil {
			failed = append(failed, err)
		}
		for i := range lost {
			if err := s.sweepOne(ctx, kind, &lost[i], &swept); err != nil {
				failed = append(failed, fmt.Errorf("sweep %s: %w", lost[i].id, err))
			}
		}
	}
	return swept, errors.Join(failed...)
}

func (s *Service) sweepOne(ctx context.Context, kind sweeping, w *lostWork, swept *Swept) error {
	act, count := kind.giveUp, &swept.Cases
	if w.state == "" || w.state == rivertype.JobStateCompleted {
		act, count = kind.restore, &swept.Restored
	}
	var done bool
	err := retryTx(ctx, func() error {
		return pgx.BeginFunc(ctx, s.Pool, func(tx pgx.Tx) (err error) {
			done, err = act(ctx, tx, w)
			return err
		})
	})
	if errors.Is(err, errSettled) {
		return nil // somebody else saw to it, and this transaction left nothing
	}
	if err == nil && done {
		*count++
		s.opts.Logger.WarnContext(ctx, "lost work found", "id", w.id, "effect", w.effect, "job_id", w.jobID, "job_state", w.state)
	}
	return err
}

func (s *Service) findLost(ctx context.Context, query string) ([]lostWork, error) {
	rows, err := s.Pool.Query(ctx, query, sweepBatch)
	if err != nil {
		return nil, fmt.Errorf("find lost work: %w", err)
	}
	lost, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (lostWork, error) {
		var w lostWork
		return w, row.Scan(&w.id, &w.effect, &w.jobID, &w.state, &w.attempt)
	})
	if err != nil {
		return nil, fmt.Errorf("find lost work: %w", err)
	}
	return lost, nil
}

// sweepEvery sweeps until ctx ends. A sweep that fails is logged; the next one
// starts anew.
func (s *Service) sweepEvery(ctx context.Context) {
	defer close(s.swept)
	if s.opts.SweepInterval < 0 {
		return
	}
	ticker := time.NewTicker(s.opts.SweepInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if _, err := s.SweepLost(ctx); err != nil && ctx.Err() == nil {
				s.opts.Logger.ErrorContext(ctx, "sweep failed", "error", err)
			}
		}
	}
}

// enqueueAgain makes the work's job run: a missing one is queued, one that the
// queue believes to be done is set back to work.
func (s *Service) enqueueAgain(ctx context.Context, tx pgx.Tx, w *lostWork, insert func() (int64, error)) (int64, error) {
	if w.state == "" {
		return insert()
	}
	job, err := s.jobs.JobRetryTx(ctx, tx, w.jobID)
	if err != nil {
		return 0, fmt.Errorf("work job %d again: %w", w.jobID, err)
	}
	return job.ID, nil
}
