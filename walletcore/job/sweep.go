package job

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river/rivertype"

	"github.com/walletctl/walletctl/walletcore/pgtx"
)

// Sweep finds one kind of work that a job has to finish and will not.
type Sweep struct {
	// Find selects id, part, job id, the job's state ('' where it is gone) and
	// its attempt; $1 is how many.
	Find string
	// Restore gives the work a job again, and GiveUp opens its case. They lock
	// it first, and report false where somebody else saw to it.
	Restore func(ctx context.Context, tx pgx.Tx, w *Lost) (bool, error)
	GiveUp  func(ctx context.Context, tx pgx.Tx, w *Lost) (bool, error)
}

// Lost is unfinished work whose job will not finish it.
type Lost struct {
	ID      string // of what it is about
	Part    string // of the work, where it has several
	JobID   int64
	State   rivertype.JobState // empty where the job is gone
	Attempt int
}

// Swept is what a sweep found and did.
type Swept struct {
	Restored int // jobs that were missing, queued again
	Cases    int // jobs that were given up without a case, now with one
}

const sweepBatch = 500

// AddSweep has SweepLost look for one more kind of work.
func (q *Queue) AddSweep(s Sweep) { q.sweeps = append(q.sweeps, s) }

// SweepLost looks for work that no job will finish: one whose job is gone gets
// a new one, one whose job was given up without anybody being told (the queue
// discards a killed process's last attempt by itself) gets its case. Any number
// of sweeps may run at the same time.
//
// One that cannot be seen to does not keep the others waiting: the error holds
// all that failed, and Swept tells what was done all the same.
func (q *Queue) SweepLost(ctx context.Context) (Swept, error) {
	var swept Swept
	var failed []error
	for _, sweep := range q.sweeps {
		lost, err := q.findLost(ctx, sweep.Find)
		if err != nil {
			failed = append(failed, err)
		}
		for i := range lost {
			if err := q.sweepOne(ctx, sweep, &lost[i], &swept); err != nil {
				failed = append(failed, fmt.Errorf("sweep %s: %w", lost[i].ID, err))
			}
		}
	}
	return swept, errors.Join(failed...)
}

func (q *Queue) sweepOne(ctx context.Context, sweep Sweep, w *Lost, swept *Swept) error {
	act, count := sweep.GiveUp, &swept.Cases
	if w.State == "" || w.State == rivertype.JobStateCompleted {
		act, count = sweep.Restore, &swept.Restored
	}
	var done bool
	err := pgtx.Retry(ctx, func() error {
		return pgx.BeginFunc(ctx, q.opts.Pool, func(tx pgx.Tx) (err error) {
			done, err = act(ctx, tx, w)
			return err
		})
	})
	if errors.Is(err, pgtx.ErrSettled) {
		return nil // somebody else saw to it, and this transaction left nothing
	}
	if err == nil && done {
		*count++
		q.opts.Logger.WarnContext(ctx, "lost work found", "id", w.ID, "part", w.Part, "job_id", w.JobID, "job_state", w.State)
	}
	return err
}

func (q *Queue) findLost(ctx context.Context, query string) ([]Lost, error) {
	rows, err := q.opts.Pool.Query(ctx, query, sweepBatch)
	if err != nil {
		return nil, fmt.Errorf("find lost work: %w", err)
	}
	lost, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (Lost, error) {
		var w Lost
		return w, row.Scan(&w.ID, &w.Part, &w.JobID, &w.State, &w.Attempt)
	})
	if err != nil {
		return nil, fmt.Errorf("find lost work: %w", err)
	}
	return lost, nil
}

// sweepEvery sweeps until ctx ends. A sweep that fails is logged; the next one
// starts anew.
func (q *Queue) sweepEvery(ctx context.Context) {
	defer close(q.swept)
	if q.opts.SweepInterval < 0 {
		return
	}
	ticker := time.NewTicker(q.opts.SweepInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if _, err := q.SweepLost(ctx); err != nil && ctx.Err() == nil {
				q.opts.Logger.ErrorContext(ctx, "sweep failed", "error", err)
			}
		}
	}
}

// Requeue makes the lost work's job run: a missing one is inserted, one that
// the queue believes to be done is set back to work. It returns the job's id.
func (q *Queue) Requeue(ctx context.Context, tx pgx.Tx, w *Lost, insert func() (int64, error)) (int64, error) {
	if w.State == "" {
		return insert()
	}
	return w.JobID, q.Retry(ctx, tx, w.JobID)
}
