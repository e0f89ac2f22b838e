package command

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
)

// usageError says that the command line is wrong. Nothing was done.
type usageError struct {
	err error
	try string // empty: the command's help
}

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func usagef(try, format string, args ...any) error {
	return &usageError{err: fmt.Errorf(format, args...), try: try}
}

// statusError carries an exit code of its own. With a nil err the result has
// said everything already.
type statusError struct {
	code int
	err  error
}

func (e *statusError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

func (e *statusError) Unwrap() error { return e.err }

// ExitCode is the code to exit with.
func (e *statusError) ExitCode() int { return e.code }

// args makes a wrong number or kind of arguments a usage error.
func args(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, given []string) error {
		err := check(cmd, given)
		var usage *usageError // knows what to try
		if err == nil || errors.As(err, &usage) {
			return err
		}
		return &usageError{err: err, try: cmd.UseLine()}
	}
}
