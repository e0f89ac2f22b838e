package record

import (
	"context"
	"errors"
	"io"
	"iter"
	"sync/atomic"
)

// Reader reads the records of some sources, one at a time.
type Reader struct {
	ctx     context.Context
	mapping *Mapping
	columns []string
	inputs  []input
	size    int64
	read    atomic.Int64
	tally   tally
}

// Open prepares to read sources in their order, and reads the header of every
// file that can be opened twice: a column that is unknown or missing in the last
// one is found before the first row. The error is a *MappingError or a
// *FileError. Cancelling ctx ends the reading with its error.
func Open(ctx context.Context, m Mapping, sources ...Source) (*Reader, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	r := &Reader{ctx: ctx, mapping: &m, columns: m.columns()}
	for _, source := range sources {
		inputs, err := source.inputs(m.Files)
		if err != nil {
			return nil, err
		}
		r.inputs = append(r.inputs, inputs...)
	}
	return r, r.look()
}

// look reads the headers, and the size of all.
func (r *Reader) look() error {
	for _, in := range r.inputs {
		if in.size < 0 {
			r.size = -1
		}
		if r.size >= 0 {
			r.size += in.size
		}
		if in.stream != nil {
			continue
		}
		f, err := r.start(in)
		if err != nil {
			return err
		}
		f.close()
	}
	r.read.Store(0)
	return nil
}

// Records returns the records, to be ranged over once. A row that is none is a
// *RowError beside an empty record, and reading goes on. A
// *FileError, or the error of the context, is the last: what was read of that
// file is not all of it. Memory does not grow with the number of rows.
func (r *Reader) Records() iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for _, in := range r.inputs {
			if !r.file(in, yield) {
				return
			}
		}
	}
}

// file reads one file and reports whether to go on.
func (r *Reader) file(in input, yield func(Record, error) bool) bool {
	f, err := r.start(in)
	if err != nil {
		yield(Record{}, err)
		return false
	}
	defer f.close()
	var rec Record
	for n := 0; ; n++ {
		if n%1024 == 0 && r.ctx.Err() != nil {
			yield(Record{}, r.ctx.Err())
			return false
		}
		err := f.next(&rec)
		switch {
		case err == nil:
			r.tally.add(&rec)
		case errors.Is(err, io.EOF):
			r.tally.files = append(r.tally.files, f.summary)
			return true
		default:
			rec = Record{}
		}
		if !yield(rec, err) || ends(err) {
			return false
		}
	}
}

func ends(err error) bool {
	_, file := errors.AsType[*FileError](err)
	return file
}

// Summary says what was read. It is whole once Records ended without a
// *FileError; a file that was not read to its end is not in it.
func (r *Reader) Summary() Summary { return r.tally.summary() }

// Progress returns how many stored bytes were read, and how many there are: -1
// where one source is a stream. Any goroutine may call it.
func (r *Reader) Progress() (read, size int64) { return r.read.Load(), r.size }
