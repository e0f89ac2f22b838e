package history

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"github.com/walletctl/walletctl/walletcore"
)

// Result says what became of a run.
type Result struct {
	Import  Import    `json:"import"`
	Scanned Scanned   `json:"scanned"`
	Written int64     `json:"wallets_written"`
	Skipped int64     `json:"wallets_skipped"` // in already, with the same movements
	Refused int64     `json:"wallets_refused"`
	Rows    int64     `json:"rows_written"`
	Left    int64     `json:"rows_identical"` // left out: there before in every field
	Doubled int64     `json:"rows_duplicate"` // written under a marked key
	First   []Refusal `json:"refusals"`       // at most 1,000
}

// maxRefusals bounds the refusals that are kept in memory; the database has all
// of them.
const maxRefusals = 1_000

// Run brings the history of o's source in, through the login backfill. The
// brand's wallets have to be in. Cancelling ctx ends the run behind the batches
// that are under way: the error is then a *PartialError. A *RowsError means that
// nothing was written.
func Run(ctx context.Context, pool *pgxpool.Pool, keys *walletcore.Keyring, o Options) (Result, error) {
	if err := o.Validate(); err != nil {
		return Result{}, err
	}
	if err := requireOpen(ctx, pool, o.Brand); err != nil {
		return Result{}, err
	}
	unlock, err := alone(ctx, pool, &o)
	if err != nil {
		return Result{}, err
	}
	defer unlock()
	work, cancel := context.WithCancel(ctx)
	defer cancel()
	p, err := prepare(work, &o, o.folder())
	if err != nil {
		return Result{}, err
	}
	defer p.close()
	return run(work, pool, keys, &o, p)
}

func run(ctx context.Context, pool *pgxpool.Pool, keys *walletcore.Keyring, o *Options, p *prepared) (Result, error) {
	result := Result{Import: p.run, Scanned: p.found, First: []Refusal{}}
	switch {
	case p.found.BadRows > 0:
		return result, &RowsError{Count: p.found.BadRows, First: p.found.Bad[0]}
	case p.found.Rows == 0:
		return result, ErrEmpty
	}
	if err := p.run.record(ctx, pool, o, &p.found, p.digest); err != nil {
		return result, fmt.Errorf("record the import: %w", err)
	}
	w := &writing{options: o, pool: pool, keys: keys, run: &p.run, pace: newPace(o), result: &result}
	err := w.all(ctx, p)
	if err == nil {
		err = p.run.end(ctx, pool, w.left.list(), w.present.list())
	}
	if err != nil {
		return result, &PartialError{Done: result.Written + result.Skipped + result.Refused, Err: err}
	}
	return result, nil
}

// writing is a run that writes.
type writing struct {
	options *Options
	pool    *pgxpool.Pool
	keys    *walletcore.Keyring
	run     *Import
	pace    *pace

	mu      sync.Mutex
	result  *Result
	seen    int64  // rows of batches that are done
	left    totals // rows that were there before in every field
	present totals // wallets that another import brought in
}

// all writes every batch. Batches that were begun are ended, whatever becomes
// of the others.
func (w *writing) all(ctx context.Context, p *prepared) error {
	queue := make(chan *batch)
	group, working := errgroup.WithContext(ctx)
	for range w.options.Writers {
		group.Go(func() error { return w.write(working, queue) })
	}
	group.Go(func() error {
		defer close(queue)
		b := &batcher{dir: p.dir, size: w.pace.size, duplicates: w.options.Mapping.Duplicates, emit: func(b *batch) error {
			select {
			case queue <- b:
				return nil
			case <-working.Done():
				b.close()
				return context.Cause(working)
			}
		}}
		return batches(working, p.sorter, b)
	})
	return group.Wait()
}

func (w *writing) write(ctx context.Context, queue <-chan *batch) error {
	conn, err := w.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	writer := newWriter(w, conn)
	defer writer.close()
	for b := range queue {
		err := errors.Join(w.pace.spend(ctx, b.rows), w.pace.yield(ctx, conn))
		if err == nil {
			// What was begun is ended.
			err = writer.write(context.WithoutCancel(ctx), b)
		}
		w.progress(b)
		b.close()
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *writing) progress(b *batch) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen += b.rows
	r := w.result
	for _, g := range b.groups {
		w.left.merge(&g.left)
		r.Left += g.identical
	}
	w.options.Progress(Progress{
		Phase: "write", Rows: w.seen, Total: r.Scanned.Rows, Wallets: r.Written + r.Skipped + r.Refused,
	})
}

// count adds what became of a batch.
func (w *writing) count(out *outcome) {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := w.result
	r.Written += int64(len(out.written))
	r.Skipped += out.skipped
	r.Refused += int64(len(out.refused))
	for i := range out.written {
		r.Rows += out.written[i].group.rows
		r.Doubled += out.written[i].group.kept
	}
	w.present.merge(&out.present)
	r.First = append(r.First, out.refused[:min(len(out.refused), maxRefusals-len(r.First))]...)
}
