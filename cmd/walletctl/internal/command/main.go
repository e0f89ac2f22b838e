// Package command holds the commands of walletctl, one constructor each. They
// get their streams and settings from a factory and return errors; one switch
// turns an error into an exit code.
package command

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
)

// Main runs a command line and returns the code to exit with.
func Main(args []string, streams output.Streams, environ []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once

	// With a handler in place a reader that went away is an error of the write,
	// not the end of the process; a child starts without it.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return run(ctx, newFactory(streams, environ), args)
}

func run(ctx context.Context, f *factory, args []string) (code int) {
	root := newRootCmd(f)
	root.SetArgs(args)
	defer func() {
		if cause := recover(); cause != nil {
			reportPanic(f.streams.Err, cause)
			code = panicCode(root, args)
		}
	}()
	cmd, err := root.ExecuteContextC(ctx)
	reportError(f.streams.Err, cmd, err)
	return exitCode(ctx, cmd, err)
}

func reportPanic(w io.Writer, cause any) {
	fmt.Fprintf(w, "walletctl: panic: %s\n", output.Safe(fmt.Sprint(cause)))
	fmt.Fprintln(w, "Try: report this as a defect, with the lines below")
	_, _ = w.Write(debug.Stack())
}

// panicCode finds out which command it was that could not say it itself.
func panicCode(root *cobra.Command, args []string) int {
	cmd, _, err := root.Find(args)
	if err != nil {
		cmd = root
	}
	return failureCode(cmd)
}
