package command

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/chaincheck"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
)

// RunWithCheck runs a command line with another chain check.
func RunWithCheck(
	ctx context.Context, streams output.Streams, environ, args []string,
	check func(context.Context, chaincheck.Deps, chaincheck.Options) (chaincheck.Report, error),
) int {
	f := newFactory(streams, environ)
	f.check = check
	return run(ctx, f, args)
}

// Try is what an operator is told to try about an error of chaincheck.
func Try(err error) string { return try(&cobra.Command{Use: "walletctl"}, err) }

// UsageError makes an error of the command line.
func UsageError(text string) error { return &usageError{err: errors.New(text)} }

// CaseKinds are the kinds that have advice.
func CaseKinds() []string { return caseKinds() }

// Covers reports whether a confirmation covers what would be sent.
func Covers(confirmation, needed string) bool {
	agreed, ok := parseReplaySum(confirmation)
	sum, known := parseReplaySum(needed)
	return ok && known && agreed.covers(sum)
}

// Word is how a word is typed.
func Word(text string) string { return word(text) }
