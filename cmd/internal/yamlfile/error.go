package yamlfile

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
)

// Error says what is wrong with a file, and where.
type Error struct {
	File    string
	Line    int // 0 where the whole file is meant
	Problem string
	Try     string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s %s", e.File, e.Problem)
	}
	return fmt.Sprintf("%s, line %d: %s", e.File, e.Line, e.Problem)
}

// Hint says what to do.
func (e *Error) Hint() string { return e.Try }

var lineOf = regexp.MustCompile(`line (\d+)`)

// syntaxError keeps only the line of what the YAML library found: its text may
// quote the file.
func syntaxError(err error) *Error {
	e := &Error{Problem: "is not valid YAML", Try: "look at the indentation and the quotes"}
	if found := lineOf.FindStringSubmatch(err.Error()); found != nil {
		e.Line, _ = strconv.Atoi(found[1])
	}
	return e
}

// cause returns what a failed file operation failed of, without the path that
// an *fs.PathError repeats.
func cause(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}
