package output

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/walletctl/walletctl/walletcore/printable"
)

// Result is what a command found, for every format.
type Result struct {
	// JSON is an object with schema_version; amounts as decimal strings with 8
	// places, times RFC 3339 in UTC.
	JSON any
	// CSV are the rows for programs.
	CSV Table
	// Text are the parts for people, one blank line apart; empty is CSV's
	// table.
	Text []Section
	// Nagios are the lines of a check's plugin output.
	Nagios string
}

// Section is a part of a text: a line before it, if any, and a table. A table
// without columns is not shown. The line is written as it is, since it may hold
// colours: what it quotes must have been made [Safe].
type Section struct {
	Title string
	Table Table
}

// Fields is a table of names and values, for one thing.
type Fields struct {
	rows [][]string
}

// Add appends a field, underscores of its name shown as blanks; an empty value
// is left out.
func (f *Fields) Add(name, value string) {
	if value != "" {
		f.rows = append(f.rows, []string{strings.ReplaceAll(name, "_", " "), value})
	}
}

// Table returns the fields as a table.
func (f *Fields) Table() Table {
	return Table{Columns: Columns("field", "value"), Rows: f.rows}
}

// Write writes the result in a format, in one piece: a reader that went away,
// or a full disk, is an error.
func Write(w io.Writer, format Format, result Result) error {
	var out bytes.Buffer
	if err := render(&out, format, result); err != nil {
		return fmt.Errorf("format the result: %w", err)
	}
	return WriteText(w, out.Bytes())
}

// WriteText writes a text as it is. The error is a *WriteError.
func WriteText(w io.Writer, text []byte) error {
	if _, err := w.Write(text); err != nil {
		return &WriteError{Err: err}
	}
	return nil
}

func render(out *bytes.Buffer, format Format, result Result) error {
	switch format {
	case FormatJSON:
		return writeJSON(out, result.JSON)
	case FormatCSV:
		return result.CSV.writeCSV(out)
	case FormatTable:
		return writeText(out, result)
	case FormatNagios:
		out.WriteString(result.Nagios)
		return nil
	}
	return fmt.Errorf("no rendering as %s", format)
}

func writeText(out *bytes.Buffer, result Result) error {
	if len(result.Text) == 0 {
		return result.CSV.writeText(out)
	}
	for i, section := range result.Text {
		if i > 0 {
			out.WriteByte('\n')
		}
		if section.Title != "" {
			out.WriteString(section.Title + "\n")
		}
		if len(section.Table.Columns) == 0 {
			continue
		}
		if err := section.Table.writeText(out); err != nil {
			return err
		}
	}
	return nil
}

// writeJSON writes the document with what could act on a terminal escaped: such
// runes stand in strings only, where an escape means the same.
func writeJSON(out *bytes.Buffer, document any) error {
	var plain bytes.Buffer
	encoder := json.NewEncoder(&plain)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(document); err != nil {
		return err
	}
	for text := plain.Bytes(); len(text) > 0; {
		r, size := utf8.DecodeRune(text)
		if r != '\n' && printable.Unsafe(r) {
			out.WriteString(printable.Escape(r))
		} else {
			out.Write(text[:size])
		}
		text = text[size:]
	}
	return nil
}

// WriteError says that the result could not be delivered.
type WriteError struct {
	Err error
}

func (e *WriteError) Error() string { return "write the result: " + e.Err.Error() }

// Unwrap returns the cause.
func (e *WriteError) Unwrap() error { return e.Err }

// Hint says what to do.
func (e *WriteError) Hint() string { return "read the output to its end, or look at the disk" }
