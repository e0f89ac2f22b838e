package record

import (
	"encoding/json"
	"strings"
)

// members reads the members of a JSON object as the values of columns. An
// absent member and null are empty.
type members struct {
	file    string
	columns []string
	index   map[string]int
	ignored map[string]bool
	row     row // its slices are used again for each row
}

func newMembers(file string, columns, ignored []string) members {
	m := members{file: file, columns: columns, index: map[string]int{}, ignored: map[string]bool{}}
	for i, name := range columns {
		m.index[name] = i
	}
	for _, name := range ignored {
		m.ignored[name] = true
	}
	n := len(columns)
	m.row = row{values: make([]string, n), numbers: make([]bool, n), ordinals: make([]int, n)}
	return m
}

// read fills r from a line.
func (m *members) read(r *row, line int64, text []byte) error {
	clear(m.row.values)
	clear(m.row.numbers)
	clear(m.row.ordinals)
	m.row.line, m.row.suspect = line, false
	at := skipBlanks(string(text))
	if !json.Valid(text) || at[0] != '{' {
		return &RowError{Position: Position{File: m.file, Line: line, Column: 1}, Err: ErrJSON}
	}
	at = skipBlanks(at[1:])
	for ordinal := 1; at[0] != '}'; ordinal++ {
		var err error
		if at, err = m.member(at, ordinal); err != nil {
			return err
		}
	}
	*r = m.row
	return nil
}

// member reads one member of a valid object, and returns what is behind it and
// its comma.
func (m *members) member(at string, ordinal int) (string, error) {
	key, at := jsonString(at)
	name, _ := unquoted(key)
	at = skipBlanks(skipBlanks(at)[1:])
	value, at := jsonValue(at)
	if err := m.set(name, value, ordinal); err != nil {
		return "", &RowError{Position: Position{File: m.file, Line: m.row.line, Column: ordinal}, Field: shown(name), Err: err}
	}
	if at = skipBlanks(at); at[0] == ',' {
		at = skipBlanks(at[1:])
	}
	return at, nil
}

func (m *members) set(name, value string, ordinal int) error {
	i, ok := m.index[name]
	if !ok {
		return ErrUnknown
	}
	if m.row.ordinals[i] != 0 {
		return ErrTwice
	}
	m.row.ordinals[i] = ordinal
	switch {
	case value[0] == '"':
		var escaped bool
		m.row.values[i], escaped = unquoted(value)
		m.row.suspect = m.row.suspect || escaped
	case value == "null":
	case m.ignored[name]:
		m.row.values[i] = value
	case !isInteger(value):
		return ErrString
	default:
		m.row.values[i], m.row.numbers[i] = value, true
	}
	return nil
}

// isInteger reports whether a JSON value is a number of digits alone, of
// whatever size.
func isInteger(value string) bool {
	for i, c := range []byte(value) {
		if (c < '0' || c > '9') && (i > 0 || c != '-') {
			return false
		}
	}
	return value != "-0"
}

// skipBlanks cuts the blanks that a value may stand behind.
func skipBlanks(at string) string {
	for at != "" && (at[0] == ' ' || at[0] == '\t' || at[0] == '\r' || at[0] == '\n') {
		at = at[1:]
	}
	return at
}

const jsonBlanks = " \t\r\n"

// jsonString cuts the string that valid JSON begins with.
func jsonString(at string) (quoted, rest string) {
	for i := 1; ; i++ {
		switch at[i] {
		case '\\':
			i++
		case '"':
			return at[:i+1], at[i+1:]
		}
	}
}

// unquoted returns the text of a JSON string, and whether it had escapes, which
// can stand for what is not text.
func unquoted(quoted string) (text string, escaped bool) {
	if strings.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1], false
	}
	return unescaped(quoted), true
}

func unescaped(quoted string) (text string) {
	_ = json.Unmarshal([]byte(quoted), &text) // it is valid
	return text
}

// jsonValue cuts the value that valid JSON begins with.
func jsonValue(at string) (value, rest string) {
	if at[0] == '"' {
		return jsonString(at)
	}
	depth := 0
	for i := 0; ; i++ {
		switch at[i] {
		case '"':
			quoted, _ := jsonString(at[i:])
			i += len(quoted) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				return strings.TrimRight(at[:i], jsonBlanks), at[i:]
			}
			if depth == 0 {
				return at[:i+1], at[i+1:]
			}
		case ',':
			if depth == 0 {
				return strings.TrimRight(at[:i], jsonBlanks), at[i:]
			}
		}
	}
}
