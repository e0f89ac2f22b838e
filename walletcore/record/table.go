package record

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash"
	"io"
	"iter"
	"sync/atomic"
)

// Table reads the records of rows that are not a file's: those of a query. A
// value is text, and nil is NULL, which reads as an empty text, as null does in
// NDJSON. Format, encoding, delimiter, files and blank lines of the mapping say
// nothing about it.
//
// A row's line in positions is its number, from 1. The digest of the summary is
// over every value of every row, in their order: rows in another order are
// another source.
type Table struct {
	ctx     context.Context
	name    string
	next    func() ([][]byte, error)
	decoder *decoder
	columns []string
	sum     hash.Hash
	buffer  []byte
	values  []string
	read    atomic.Int64
	summary FileSummary
	tally   tally
}

// NewTable prepares to read rows of these columns, which must be exactly those
// that the mapping declares, in whatever order. next returns one row after the
// other, valid until it is called again, and io.EOF at the end; any other error
// ends the reading. The error is a *MappingError or a *FileError.
func NewTable(ctx context.Context, m Mapping, name string, columns []string, next func() ([][]byte, error)) (*Table, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	if m.Footer != nil {
		return nil, m.wrong("footer", "must be empty: rows that are not a file's have none")
	}
	if err := checkHeader(columns, m.columns()); err != nil {
		return nil, &FileError{File: name, Err: err}
	}
	decoder, err := newDecoder(&m, name, columns)
	if err != nil {
		return nil, err
	}
	return &Table{
		ctx: ctx, name: name, next: next, decoder: decoder, columns: columns, sum: sha256.New(),
		values: make([]string, len(columns)), summary: FileSummary{Name: name},
	}, nil
}

// Records returns the records, to be ranged over once, as those of a [Reader].
func (t *Table) Records() iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for {
			rec, skip, err := t.record()
			switch {
			case errors.Is(err, io.EOF):
				t.end()
				return
			case skip:
				continue
			}
			if !yield(rec, err) || err != nil && !isRow(err) {
				return
			}
		}
	}
}

func isRow(err error) bool {
	_, row := errors.AsType[*RowError](err)
	return row
}

// record reads one row. The error is io.EOF behind the last.
func (t *Table) record() (rec Record, skip bool, err error) {
	if t.ctx.Err() != nil {
		return rec, false, t.ctx.Err()
	}
	raw, err := t.next()
	switch {
	case errors.Is(err, io.EOF):
		return rec, false, err
	case t.ctx.Err() != nil: // which is why it failed
		return rec, false, t.ctx.Err()
	case err != nil:
		return rec, false, t.fail(err)
	}
	r, err := t.row(raw)
	if err != nil {
		return rec, false, t.fail(err)
	}
	return t.decode(&r)
}

// line is the number of the row that is read.
func (t *Table) line() int64 { return t.summary.Rows + t.summary.Skipped + t.summary.Refused + 1 }

func (t *Table) fail(err error) error { return &FileError{File: t.name, Line: t.line(), Err: err} }

// row takes the values over, in one piece of memory, and adds them to the
// digest: each behind its length and 1, or 0 for NULL.
func (t *Table) row(raw [][]byte) (row, error) {
	if len(raw) != len(t.columns) {
		return row{}, &WidthError{Has: len(raw), Want: len(t.columns)}
	}
	t.buffer = t.buffer[:0]
	size := 0
	for _, value := range raw {
		size += len(value)
	}
	if size > maxRow {
		return row{}, ErrRowTooLong
	}
	t.digest(raw)
	for _, value := range raw {
		t.buffer = append(t.buffer, value...)
	}
	text := string(t.buffer)
	for i, value := range raw {
		t.values[i], text = text[:len(value)], text[len(value):]
	}
	t.read.Add(int64(size))
	return row{line: t.line(), values: t.values}, nil
}

func (t *Table) digest(raw [][]byte) {
	for _, value := range raw {
		n := uint64(0)
		if value != nil {
			n = uint64(len(value)) + 1
		}
		t.buffer = append(binary.AppendUvarint(t.buffer, n), value...)
	}
	t.sum.Write(t.buffer)
	t.buffer = t.buffer[:0]
}

func (t *Table) decode(r *row) (rec Record, skip bool, err error) {
	if i, fault := r.fault(); fault != nil {
		t.summary.Refused++
		return rec, false, t.decoder.problem(r, shown(t.columns[i]), cell{index: i}, fault)
	}
	skip, refused := t.decoder.decode(r, &rec)
	switch {
	case refused != nil:
		t.summary.Refused++
		return Record{}, false, refused
	case skip:
		t.summary.Skipped++
		return rec, true, nil
	}
	t.summary.Rows++
	t.tally.add(&rec)
	return rec, false, nil
}

// end closes the account.
func (t *Table) end() {
	t.summary.Bytes = t.read.Load()
	t.sum.Sum(t.summary.SHA256[:0])
	t.tally.files = []FileSummary{t.summary}
}

// Summary says what was read, as that of a [Reader]: bytes are those of the
// values.
func (t *Table) Summary() Summary { return t.tally.summary() }

// Progress returns how many bytes of values were read, and -1: how many there
// are is not known. Any goroutine may call it.
func (t *Table) Progress() (read, size int64) { return t.read.Load(), -1 }
