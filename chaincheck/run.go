package chaincheck

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/google/uuid"
)

// overlap is how far before the last good run the window begins.
const overlap = time.Hour

// run is one check while it works.
type run struct {
	deps       Deps
	options    Options
	reader     *reader
	tally      *tally
	state      *state      // nil without a state directory
	checkpoint *checkpoint // never nil
	report     Report

	windowStart  time.Time
	position     uint64 // of the replica when the run began
	goodUntil    time.Time
	pages        int64 // of entries or of receipts, whichever has more
	byTable      bool
	keep         bool // the checkpoint may be written
	sweptOrphans idSet
	warnOnce     sync.Once
}

// Run checks the chains. The report is complete and its exit code right even
// where the error is not nil; the error then says why the run could not do
// what was asked: an *OptionError, [ErrLocked], [ErrNoWallets], or a failure to
// reach the database at all. Breaks, lag and parts that could not be read are
// no errors: they are in the report. A cancelled run is unknown.
func Run(ctx context.Context, deps Deps, options Options) (Report, error) {
	deps.setDefaults()
	r := &run{deps: deps, options: options, checkpoint: &checkpoint{}}
	r.begin()
	err := r.check(ctx)
	r.finish(err)
	return r.report, err
}

func (r *run) begin() {
	r.report = Report{
		SchemaVersion: SchemaVersion, Mode: ModeWindow, Brand: r.options.Brand,
		StartedAt: r.now(), Replica: Replica{LagMillis: noLag},
		Warnings: []Warning{}, Notes: []string{},
	}
	if r.options.All {
		r.report.Mode = ModeAll
	}
	if r.options.Wallet != uuid.Nil {
		r.report.Wallet = r.options.Wallet.String()
	}
	r.tally = newTally(&r.options)
}

// now is the time as files and the database keep it.
func (r *run) now() time.Time { return r.deps.Clock().UTC().Truncate(time.Microsecond) }

func (r *run) check(ctx context.Context) (err error) {
	// A panic would end the program with 2, which means broken.
	defer func() {
		if p := recover(); p != nil {
			r.deps.Logger.Error("chain check panicked", "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	if err := r.options.Validate(); err != nil {
		return err
	}
	r.options.setDefaults(int(r.deps.Pool.Config().MaxConns))
	r.tally = newTally(&r.options)
	r.reader = &reader{
		pool: r.deps.Pool, attempts: r.options.Attempts, timeout: r.options.StatementTimeout, log: r.deps.Logger,
	}
	if err := r.openState(); err != nil {
		return err
	}
	defer r.closeState()
	return r.checkAll(ctx)
}

func (r *run) checkAll(ctx context.Context) error {
	before, err := r.readReplica(ctx)
	if err != nil {
		return fmt.Errorf("ask the replica how far it is: %w", err)
	}
	r.placeCheckpoint(&before)
	r.chooseWindow(&before)
	ranges, err := r.plan(ctx)
	if err != nil {
		return fmt.Errorf("plan the check: %w", err)
	}
	parts := r.work(ctx, ranges)
	r.followPast(ctx)
	after, err := r.readReplica(ctx)
	if err != nil {
		return fmt.Errorf("ask the replica how far it is: %w", err)
	}
	if !before.Connected {
		after.Connected, after.Detail = false, before.Detail
	}
	r.checkReplica(&after)
	r.writeCheckpoint(parts)
	if r.tally.now.WalletsChecked == 0 && r.tally.broken == 0 && r.tally.unreadCount == 0 {
		return ErrNoWallets
	}
	return ctx.Err()
}

func (r *run) chooseWindow(s *replicaState) {
	r.goodUntil = r.report.StartedAt
	if s.LagMillis > 0 {
		r.goodUntil = r.goodUntil.Add(-s.Lag())
	}
	if r.options.All {
		return
	}
	r.windowStart = r.report.StartedAt.Add(-r.options.Window)
	if last := r.checkpoint.lastGood; r.checkpoint.trusted() && !last.IsZero() && last.Add(-overlap).Before(r.windowStart) {
		r.windowStart = last.Add(-overlap)
	}
	r.report.WindowStart = r.windowStart
}

const sizeQuery = `
select greatest(w.reltuples, 0)::bigint, greatest(e.reltuples, 0)::bigint,
  greatest(pg_relation_size(e.oid), pg_relation_size('gaming.receipts')) / current_setting('block_size')::bigint + 1
from pg_class w, pg_class e
where w.oid = 'gaming.wallets'::regclass and e.oid = 'gaming.entries'::regclass`

// plan cuts the wallets into ranges.
func (r *run) plan(ctx context.Context) ([]idRange, error) {
	progress := &r.tally.now
	err := r.reader.retry(ctx, func() (bool, error) {
		row := r.deps.Pool.QueryRow(ctx, sizeQuery)
		return false, row.Scan(&progress.WalletsTotal, &progress.EntriesTotal, &r.pages)
	})
	if err != nil {
		return nil, err
	}
	if !r.options.All {
		progress.EntriesTotal = 0
	}
	r.chooseOrder()
	ranges := []idRange{{r.options.Wallet, r.options.Wallet}}
	switch {
	case r.byTable:
		ranges = cutIDs(r.tableParts())
	case r.options.Wallet == uuid.Nil:
		ranges = splitIDs(progress.WalletsTotal, r.options.Workers)
	}
	progress.Ranges = len(ranges)
	return ranges, nil
}

// chooseOrder decides how entries are read where all are. Each part of the
// wallets takes its own pass over the table.
func (r *run) chooseOrder() {
	if !r.options.All || r.options.limited() {
		return
	}
	r.byTable = r.options.Order == OrderTable ||
		r.options.Order == "" && r.tableParts()*r.pages < r.tally.now.EntriesTotal/2
}

// tableParts is the number of parts in which the wallets are followed through
// the table: as many for each worker.
func (r *run) tableParts() int64 {
	workers := int64(r.options.Workers)
	passes := r.tally.now.WalletsTotal/(tableWallets*workers) + 1
	return passes * workers
}

// walletsAtOnce is how many heads are kept in memory.
func (r *run) walletsAtOnce() int {
	if r.byTable {
		return tableWallets
	}
	return walletsPerChunk
}

// work checks all ranges, then sweeps for receipts, and returns the parts of
// the new checkpoint.
func (r *run) work(ctx context.Context, ranges []idRange) []segment {
	parts := make([]segment, len(ranges))
	r.parallel(len(ranges), func(i int) {
		parts[i] = r.workRange(ctx, i, ranges[i])
		r.tally.rangeDone()
	})
	list := r.sweeps(ctx)
	r.parallel(len(list), func(i int) {
		defer r.recovered(idRange{uuid.Nil, uuid.Max})
		r.sweep(ctx, list[i])
	})
	return parts
}

// workRange checks a range. Whatever goes wrong with its part of the
// checkpoint, the old one's is used instead.
func (r *run) workRange(ctx context.Context, i int, part idRange) (s segment) {
	s.idRange = part
	defer r.recovered(part)
	if !r.keep {
		r.checkRange(ctx, part, nil)
		return s
	}
	path := r.state.partPath(i)
	out := createPart(path)
	r.checkRange(ctx, part, out)
	if err := out.close(); err != nil {
		r.placesFailed(err)
		return s
	}
	s.part = path
	return s
}

// recovered notes a part as unread when the work on it panicked.
func (r *run) recovered(part idRange) {
	if p := recover(); p != nil {
		r.deps.Logger.Error("chain check panicked", "panic", p, "stack", string(debug.Stack()))
		r.tally.addUnread(part.from, part.to, "all", fmt.Errorf("panic: %v", p))
	}
}

// parallel calls work for 0 to count-1 from as many goroutines as there are
// workers.
func (r *run) parallel(count int, work func(i int)) {
	var group sync.WaitGroup
	next := make(chan int)
	for range r.options.Workers {
		group.Go(func() {
			for i := range next {
				work(i)
			}
		})
	}
	for i := range count {
		next <- i
	}
	close(next)
	group.Wait()
}
