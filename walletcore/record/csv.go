package record

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// csvRows reads the rows of a CSV file. encoding/csv passes over blank lines
// in silence; they show as lines between two rows that neither holds.
type csvRows struct {
	blankRule
	feed *feed
	csv  *csv.Reader
	line int64 // on which the next row begins if there is no blank one
	// held is set while a row, or what is wrong with it, waits for the blank
	// lines before it to be told.
	held bool
	row  row
	err  error
}

func newCSV(file string, m *Mapping, text *feed) *csvRows {
	c := &csvRows{blankRule: blankRule{policy: m.BlankLines, file: file}, feed: text, csv: csv.NewReader(text), line: 1}
	c.csv.Comma, _ = utf8.DecodeRuneInString(m.Delimiter)
	c.csv.FieldsPerRecord = -1
	c.csv.ReuseRecord = true
	return c
}

// next implements rows.
func (c *csvRows) next(r *row) error {
	if c.held {
		c.held = false
		*r = c.row
		return c.err
	}
	c.feed.allow(c.csv.InputOffset())
	values, err := c.csv.Read()
	if err != nil {
		return c.stop(r, values, err)
	}
	return c.take(r, values)
}

// stop is what became of a row that encoding/csv does not like.
func (c *csvRows) stop(r *row, values []string, err error) error {
	if errors.Is(err, io.EOF) {
		return c.end()
	}
	if syntax, ok := errors.AsType[*csv.ParseError](err); ok {
		return c.broken(r, syntax, len(values))
	}
	return err
}

func (c *csvRows) at() int64 { return c.line }

// take makes a row of values.
func (c *csvRows) take(r *row, values []string) error {
	line, _ := c.csv.FieldPos(0)
	*r = row{line: int64(line), values: values}
	last := len(values) - 1
	end, _ := c.csv.FieldPos(last)
	return c.behind(r, int64(end)+int64(strings.Count(values[last], "\n")), nil)
}

// broken is a row whose quotes do not fit. The next one begins on the line
// behind.
func (c *csvRows) broken(r *row, syntax *csv.ParseError, fields int) error {
	err := ErrQuote
	if syntax.Line > syntax.StartLine {
		err = fmt.Errorf("%w, up to line %d", ErrQuote, syntax.Line)
	}
	*r = row{line: int64(syntax.StartLine)}
	return c.behind(r, int64(syntax.Line),
		&RowError{Position: Position{File: c.file, Line: r.line, Column: fields + 1}, Err: err})
}

// behind returns err, the outcome of a row that ends on a line, or before it
// what is to say of the blank lines between it and the row before.
func (c *csvRows) behind(r *row, end int64, err error) error {
	first := c.line
	c.line = end + 1
	if blank := c.blankRule.take(first, r.line-first, false); blank != nil {
		c.held, c.row, c.err = true, *r, err
		return blank
	}
	return err
}

// end judges the blank lines behind the last row, once.
func (c *csvRows) end() error {
	first, blank := c.line, max(c.feed.lines-c.line+1, 0)
	c.line += blank
	if err := c.blankRule.take(first, blank, true); err != nil {
		return err
	}
	return io.EOF
}
