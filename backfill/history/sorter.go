package history

import (
	"context"

	"github.com/lanrat/extsort"
)

// chunkRows is how many rows are sorted in memory at once, some 20 MB.
const chunkRows = 100_000

// sorter brings rows into the order of their wallets, through files where they
// do not fit into memory. What is put in is read back in order once it is
// closed.
type sorter struct {
	in   chan []byte
	out  <-chan []byte
	errs <-chan error
}

// newSorter sorts in a folder of its own until ctx ends.
func newSorter(ctx context.Context, dir string) *sorter {
	s := &sorter{in: make(chan []byte, 1_000)}
	same := func(b []byte) ([]byte, error) { return b, nil }
	config := &extsort.Config{ChunkSize: chunkRows, NumWorkers: 2, SortedChanBuffSize: 1_000, TempFilesDir: dir}
	work, out, errs := extsort.Generic(s.in, same, same, compareRows, config)
	s.out, s.errs = out, errs
	go work.Sort(ctx)
	return s
}

// put gives an encoded row, which is the sorter's from then on.
func (s *sorter) put(ctx context.Context, b []byte) error {
	select {
	case s.in <- b:
		return nil
	case err := <-s.errs:
		return cancelled(ctx, err)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// sorted ends the putting in. It calls take for each row in order.
func (s *sorter) sorted(ctx context.Context, take func([]byte) error) error {
	close(s.in)
	for b := range s.out {
		if err := take(b); err != nil {
			return err
		}
	}
	return cancelled(ctx, <-s.errs)
}

// cancelled prefers why ctx ended over what that made of the work.
func cancelled(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}
