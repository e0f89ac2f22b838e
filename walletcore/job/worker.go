package job

import (
	"context"
	"errors"
	"runtime/debug"
	"time"

	"github.com/riverqueue/river"
)

// Worker works the jobs of one kind, which is that of its arguments A.
type Worker[A river.JobArgs] struct {
	// Lane is the queue that the jobs wait in: a flood in one leaves the others
	// alone. The lanes of one name are one.
	Lane string
	// Workers of the lane work at the same time in this process.
	Workers int
	// Made counts the attempts that were made before there was a job.
	Made int
	// Work makes one attempt.
	Work func(ctx context.Context, job *river.Job[A]) error
	// Failed, where set, hears of an attempt that failed, and returns what the
	// queue is told: an error, river.JobCancel to give the job up, or nil where
	// the work is done after all.
	Failed func(ctx context.Context, job *river.Job[A], cause error) error
}

// Register has the queue work what w works. It is for the time before Insert
// and Start.
func Register[A river.JobArgs](q *Queue, w Worker[A]) {
	river.AddWorker(q.workers, &worker[A]{Worker: w, queue: q})
	q.lanes[w.Lane] = river.QueueConfig{MaxWorkers: w.Workers}
}

// worker is a Worker as River knows it.
type worker[A river.JobArgs] struct {
	river.WorkerDefaults[A]
	Worker[A]
	queue *Queue
}

// NextRetry implements river.Worker.
func (w *worker[A]) NextRetry(job *river.Job[A]) time.Time {
	return w.queue.After(job.Attempt + w.Made)
}

// Work implements river.Worker.
func (w *worker[A]) Work(ctx context.Context, job *river.Job[A]) error {
	err := w.guard(ctx, func() error { return w.Worker.Work(ctx, job) })
	if err == nil {
		return nil
	}
	if interrupted(ctx) {
		// Whatever the work made of it: that is what the queue asks for.
		return errors.Join(ctx.Err(), err)
	}
	if w.Failed != nil {
		err = w.Failed(ctx, job, err)
	}
	return storable(err)
}

// guard turns a panic into an error, so that it is written down like any other
// failure; where it happened goes to the log.
func (w *worker[A]) guard(ctx context.Context, work func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &PanicError{Value: value}
			w.queue.opts.Logger.ErrorContext(ctx, "job panicked", "error", err, "stack", string(debug.Stack()))
		}
	}()
	return work()
}

// interrupted reports whether the job was cut off because the process stops.
// That is nobody's failure: the queue gives the attempt back.
func interrupted(ctx context.Context) bool { return errors.Is(ctx.Err(), context.Canceled) }

// recordTimeout bounds what is written after a job's own time is over.
const recordTimeout = 5 * time.Second

// RecordContext is for writing down what happened when the job's own context
// may be over.
func RecordContext(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
}
