package record

import (
	"errors"
	"io"
)

// record makes a record of r, unless its faults forbid it or the mapping skips it.
func (f *file) record(r *row, rec *Record) (skip bool, err *RowError) {
	if width := f.decoder.width; len(r.values) != width {
		f.footing.lose()
		return false, f.misfit(r, &WidthError{Has: len(r.values), Want: width})
	}
	if f.feed.suspect || r.suspect {
		if i, err := r.fault(); err != nil {
			f.footing.lose()
			return false, f.decoder.problem(r, f.name(i), cell{index: i}, err)
		}
	}
	f.footing.count(r)
	return f.decoder.decode(r, rec)
}

// misfit is a row of another width: the error stands at the first field that is
// missing or too many.
func (f *file) misfit(r *row, err *WidthError) *RowError {
	return &RowError{
		Position: Position{File: f.input.name, Line: r.line, Column: min(err.Has, err.Want) + 1},
		Err:      err,
	}
}

// name is what stands in a column: one of our fields, or the column's own name.
func (f *file) name(index int) string { return shown(f.columns[index]) }

// refuse counts a row that is no record.
func (f *file) refuse(err *RowError) error {
	f.summary.Refused++
	if errors.Is(err, ErrQuote) {
		f.footing.lose()
	}
	return err
}

// end closes the account of a file that was read to its end.
func (f *file) end() error {
	if err := f.footing.end(); err != nil {
		return f.fail(0, err)
	}
	f.summary.Blank = f.rows.blanks()
	f.summary.Bytes = f.stored.bytes
	f.summary.SHA256 = f.stored.digest()
	return io.EOF
}
