package record

import (
	"errors"
	"fmt"
	"strings"

	"github.com/walletctl/walletctl/walletcore"
)

// What is wrong with a row; the Err of a *RowError.
var (
	ErrEmpty    = errors.New("is empty")
	ErrBlank    = errors.New("is a blank line")
	ErrQuote    = errors.New("has a quote where none may stand, or one that never closes")
	ErrNUL      = errors.New("holds a NUL byte")
	ErrEncoding = errors.New("holds bytes that are not of the declared encoding")
	ErrMark     = errors.New("is not written with the declared decimal and thousands mark")
	ErrWhole    = errors.New("is not a whole number of the declared unit")
	ErrSigned   = errors.New("has a sign, which another declared column gives")
	ErrSides    = errors.New("must be empty or zero on one side, and filled on the other")
	ErrNoUnit   = errors.New("is a currency without a declared unit")
	ErrUnmapped = errors.New("is not mapped")
	ErrTime     = errors.New("is not a time of the declared layout")
	ErrFold     = errors.New("happens twice, as the clocks go back: declare which with fold")
	ErrGap      = errors.New("never happens, as the clocks go forward over it")
	ErrSequence = errors.New("is not a whole number")
	ErrJSON     = errors.New("is not one JSON object")
	ErrString   = errors.New("must be a JSON string")
	ErrTwice    = errors.New("stands twice in its object")
	ErrUnknown  = errors.New("is not a declared column")
)

// What ends the reading of a file; the Err of a *FileError.
var (
	ErrCut         = errors.New("is cut off")
	ErrNoFiles     = errors.New("has no file of the declared name")
	ErrNoGlob      = errors.New("is a directory, and the mapping declares no files")
	ErrNoHeader    = errors.New("has no header")
	ErrRowTooLong  = errors.New("has a row of more than 1 MiB; a quote may be missing")
	ErrForeignMark = errors.New("begins with the byte order mark of another encoding than the declared one")
	ErrNoFooter    = errors.New("ends before its footer")
	ErrAfterFooter = errors.New("goes on behind its footer")
	ErrFooterTwice = errors.New("has a footer twice")
)

// RowError says why one row is not a record. Reading goes on behind it.
type RowError struct {
	Position Position
	Field    string // ours, or the column's name; empty where the whole row is meant
	Value    string // as written, printable and shortened
	Err      error
}

func (e *RowError) Error() string {
	text := e.Position.String() + ":"
	if e.Field != "" {
		text += " " + e.Field
	}
	if e.Value != "" {
		text += ` "` + e.Value + `"`
	}
	return text + " " + reason(e.Err)
}

// Unwrap returns the reason.
func (e *RowError) Unwrap() error { return e.Err }

// reason is the text of an error that stands behind a field and its value.
func reason(err error) string {
	var amount *walletcore.AmountError
	if errors.As(err, &amount) {
		return amount.Reason
	}
	var field *walletcore.FieldError
	if errors.As(err, &field) {
		return field.Reason
	}
	return err.Error()
}

// FileError ends the reading: nothing that was read of this file can be
// trusted to be all of it.
type FileError struct {
	File string
	Line int64 // 0 where the whole file is meant
	Err  error
}

func (e *FileError) Error() string {
	if e.Line == 0 {
		return e.File + ": " + reason(e.Err)
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, reason(e.Err))
}

// Unwrap returns the reason.
func (e *FileError) Unwrap() error { return e.Err }

// WidthError is a row with more or fewer fields than the header.
type WidthError struct {
	Has, Want int
}

func (e *WidthError) Error() string {
	return fmt.Sprintf("has %d fields, the header has %d", e.Has, e.Want)
}

// HeaderError is a header that differs from what the mapping declares.
type HeaderError struct {
	Missing, Unknown, Twice []string
}

func (e *HeaderError) Error() string {
	var parts []string
	for _, list := range []struct {
		what  string
		names []string
	}{{"lacks", e.Missing}, {"has the undeclared", e.Unknown}, {"repeats", e.Twice}} {
		if len(list.names) > 0 {
			parts = append(parts, list.what+" "+listed(list.names))
		}
	}
	return "has another header than declared: " + strings.Join(parts, "; ")
}

// listed names the first of what may be very many.
func listed(names []string) string {
	const most = 10
	if more := len(names) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), more)
	}
	return strings.Join(names, ", ")
}

// FooterError is a footer that its rows contradict.
type FooterError struct {
	Column  string // where the footer states it
	Stated  string
	Counted string // of the rows
	Unread  int64  // rows that could not be counted, which may be the reason
}

func (e *FooterError) Error() string {
	text := fmt.Sprintf("states %s %s in its footer, its rows make %s", e.Column, e.Stated, e.Counted)
	if e.Unread > 0 {
		text += fmt.Sprintf(" (rows that could not be read: %d)", e.Unread)
	}
	return text
}

// MappingError says what is wrong with a mapping. Nothing was read with it.
type MappingError struct {
	Name    string // of the mapping
	Line    int    // 0 where it is not known
	Key     string // such as time.zone; empty where the whole mapping is meant
	Problem string
}

func (e *MappingError) Error() string {
	text := "mapping " + e.Name
	if e.Line > 0 {
		text += fmt.Sprintf(", line %d", e.Line)
	}
	if e.Key != "" {
		text += ": " + e.Key
	}
	return text + " " + e.Problem
}
