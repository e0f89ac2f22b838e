package legacy

import (
	"context"
	"fmt"
	"io"
	"iter"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/walletctl/walletctl/walletcore/record"
)

// Reader reads the records of a query, one at a time.
type Reader struct {
	*record.Table
	ctx      context.Context
	options  Options
	snapshot *snapshot // nil before the first row and behind the last
	texts    []text
	row      [][]byte
}

// Open asks the database for the columns of the query, which must be exactly
// those that the mapping declares; the query is run by Records. The error may be
// ErrNoOrder, a *ColumnError, a *record.MappingError, or a *record.FileError
// about the columns. Cancelling ctx ends the reading with its error.
func Open(ctx context.Context, o Options) (*Reader, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	fields, err := describe(ctx, &o)
	if err != nil {
		return nil, err
	}
	r := &Reader{ctx: ctx, options: o, row: make([][]byte, len(fields))}
	names := make([]string, len(fields))
	for i := range fields {
		names[i] = fields[i].Name
		r.texts = append(r.texts, textOf(fields[i].DataTypeOID))
	}
	if r.Table, err = record.NewTable(ctx, o.Mapping, o.Name, names, r.next); err != nil {
		return nil, err
	}
	return r, checkTypes(&o.Mapping, fields)
}

func describe(ctx context.Context, o *Options) ([]pgconn.FieldDescription, error) {
	s, err := begin(ctx, o.Pool)
	if err != nil {
		return nil, err
	}
	defer s.close()
	fields, err := s.describe(o.Query)
	if err != nil {
		return nil, &record.FileError{File: o.Name, Err: err}
	}
	return fields, nil
}

// Records runs the query and returns its records, to be ranged over once. A row
// that is no record is a *record.RowError beside an empty record, and reading
// goes on; a *record.FileError, or the error of the context, is the last. A row's
// line is its number, from 1.
func (r *Reader) Records() iter.Seq2[record.Record, error] {
	return func(yield func(record.Record, error) bool) {
		defer r.stop()
		for rec, err := range r.Table.Records() {
			if !yield(rec, err) {
				return
			}
		}
	}
}

// next returns the next row, and io.EOF behind the last.
func (r *Reader) next() ([][]byte, error) {
	if r.snapshot == nil {
		if err := r.start(); err != nil {
			return nil, err
		}
	}
	result := r.snapshot.result
	if !result.NextRow() {
		if _, err := result.Close(); err != nil {
			return nil, err
		}
		return nil, io.EOF
	}
	for i, value := range result.Values() {
		r.row[i] = r.texts[i](value)
	}
	return r.row, nil
}

func (r *Reader) start() (err error) {
	if r.snapshot, err = begin(r.ctx, r.options.Pool); err != nil {
		return err
	}
	r.snapshot.run(r.options.Query)
	if n := len(r.snapshot.result.FieldDescriptions()); n > 0 && n != len(r.row) { // the table was changed meanwhile
		return fmt.Errorf("has %d columns, and had %d when it was looked at", n, len(r.row))
	}
	return nil
}

func (r *Reader) stop() {
	if r.snapshot != nil {
		r.snapshot.close()
		r.snapshot = nil
	}
}
