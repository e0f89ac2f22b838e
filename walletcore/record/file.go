package record

import (
	"errors"
	"io"
)

// file is one input while it is read.
type file struct {
	input   input
	closer  io.Closer
	release func()
	stored  *stored
	feed    *feed
	rows    rows
	columns []string // in the order of the file
	decoder *decoder
	footing *footing
	row     row
	summary FileSummary
}

// start opens an input and reads its header.
func (r *Reader) start(in input) (*file, error) {
	closer, err := in.open()
	if err != nil {
		return nil, err
	}
	f := &file{input: in, closer: closer, release: func() {}, summary: FileSummary{Name: in.name}}
	f.stored = newStored(closer.(io.Reader), &r.read)
	if err := f.begin(r.mapping, r.columns); err != nil {
		f.close()
		return nil, err
	}
	return f, nil
}

// begin finds out how the file is stored, and reads its header.
func (f *file) begin(m *Mapping, declared []string) error {
	text, release, err := f.stored.text()
	if err != nil {
		return f.fail(0, cutShort(err))
	}
	f.release = release
	if text, err = decoded(text, m.Encoding); err != nil {
		return f.fail(0, cause(err))
	}
	f.feed = &feed{text: text}
	f.columns = declared
	if m.Format == NDJSON {
		f.rows = newNDJSON(f.input.name, m, declared, f.feed)
	} else if f.columns, err = f.header(m, declared); err != nil {
		return err
	}
	if f.decoder, err = newDecoder(m, f.input.name, f.columns); err != nil {
		return err
	}
	f.footing = newFooting(m, f.decoder)
	return nil
}

// cutShort is the cause of a compressed file that ends within its own header.
func cutShort(err error) error {
	if errors.Is(err, io.EOF) {
		return ErrCut
	}
	return cause(err)
}

// header reads the first row of a CSV file, and refuses one that is not exactly
// as declared.
func (f *file) header(m *Mapping, declared []string) ([]string, error) {
	f.rows = newCSV(f.input.name, m, f.feed)
	var first row
	err := f.rows.next(&first)
	if broken, ok := errors.AsType[*RowError](err); ok {
		return nil, f.fail(broken.Position.Line, broken.Err)
	}
	switch {
	case errors.Is(err, io.EOF):
		return nil, f.fail(0, ErrNoHeader)
	case err != nil:
		return nil, f.fail(0, cause(err))
	}
	columns := make([]string, len(first.values))
	copy(columns, first.values)
	if err := checkHeader(columns, declared); err != nil {
		return nil, f.fail(first.line, err)
	}
	return columns, nil
}

func (f *file) fail(line int64, err error) *FileError {
	return &FileError{File: f.input.name, Line: line, Err: err}
}

func (f *file) close() {
	f.release()
	f.closer.Close()
}

// next fills rec with the next record. The error is io.EOF at the end, a
// *RowError behind which it goes on, or a *FileError.
func (f *file) next(rec *Record) error {
	r := &f.row
	for {
		if err := f.rows.next(r); err != nil {
			return f.stop(err)
		}
		if ours, err := f.footing.take(r); err != nil {
			return f.fail(r.line, err)
		} else if ours {
			continue
		}
		if skip, err := f.record(r, rec); err != nil {
			return f.refuse(err)
		} else if skip {
			f.summary.Skipped++
			continue
		}
		f.summary.Rows++
		return nil
	}
}

// stop is what became of a row that could not be read.
func (f *file) stop(err error) error {
	if errors.Is(err, io.EOF) {
		return f.end()
	}
	if refused, ok := errors.AsType[*RowError](err); ok {
		return f.refuse(refused)
	}
	return f.fail(f.rows.at(), cause(err))
}
