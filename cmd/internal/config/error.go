package config

import "fmt"

// Error says what is wrong with one setting. It never holds the value of a
// secret.
type Error struct {
	Variable string // the name in the environment
	Problem  string // a verb phrase: "is not set"
	Try      string // what to do, in the imperative
}

func (e *Error) Error() string { return e.Variable + " " + e.Problem }

// Hint says what to do.
func (e *Error) Hint() string { return e.Try }

// FileError says what is wrong with the configuration file.
type FileError struct {
	Path    string
	Line    int // 0 where the whole file is meant
	Problem string
	Try     string
}

func (e *FileError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("configuration file %s %s", e.Path, e.Problem)
	}
	return fmt.Sprintf("configuration file %s, line %d %s", e.Path, e.Line, e.Problem)
}

// Hint says what to do.
func (e *FileError) Hint() string { return e.Try }
