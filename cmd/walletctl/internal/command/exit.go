package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/cmd/internal/exit"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
)

// checks annotates commands whose exit code is a verdict: what goes wrong there
// is "could not tell", never 1 or 2, which say something about the money.
const checks = "walletctl/checks"

// exitCode is the one place where an error becomes an exit code.
func exitCode(ctx context.Context, cmd *cobra.Command, err error) int {
	var status interface{ ExitCode() int } // an error that knows its own
	var usage *usageError
	switch {
	case err == nil:
		return exit.OK
	case ctx.Err() != nil:
		return exit.Interrupted
	case errors.As(err, &status):
		return status.ExitCode()
	case errors.As(err, &usage) && !isCheck(cmd):
		return exit.Usage
	}
	return failureCode(cmd)
}

func failureCode(cmd *cobra.Command) int {
	if isCheck(cmd) {
		return exit.Unknown
	}
	return exit.Failed
}

func isCheck(cmd *cobra.Command) bool { return cmd != nil && cmd.Annotations[checks] != "" }

// reportError says on stderr what went wrong and what to try. Texts may quote
// data from anywhere, so they are made safe.
func reportError(w io.Writer, cmd *cobra.Command, err error) {
	var status *statusError
	if err == nil || (errors.As(err, &status) && status.err == nil) {
		return
	}
	for line := range strings.Lines(err.Error()) {
		fmt.Fprintf(w, "walletctl: %s\n", output.Safe(strings.TrimSpace(line)))
	}
	if try := try(cmd, err); try != "" {
		fmt.Fprintf(w, "Try: %s\n", output.Safe(try))
	}
}
