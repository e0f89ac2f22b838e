package shutdown_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/internal/shutdown"
)

// asProgram is set where the test program plays a service that never ends by
// itself.
const asProgram = "SHUTDOWN_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) == "" {
		os.Exit(m.Run())
	}
	g := shutdown.New(context.Background(), shutdown.Options{Grace: time.Hour, Logger: quiet()})
	g.Go("stubborn", func(ctx context.Context) error {
		_, _ = os.Stdout.WriteString("r")
		<-ctx.Done()
		_, _ = os.Stdout.WriteString("s")
		if os.Getenv(asProgram) == "stubborn" {
			select {}
		}
		return nil
	})
	if g.Wait() != nil {
		os.Exit(1)
	}
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

func newGroup(t *testing.T, grace time.Duration) *shutdown.Group {
	t.Helper()
	return shutdown.New(t.Context(), shutdown.Options{Grace: grace, Logger: quiet()})
}

func untilStopped(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

func TestGroup_OneFailureStopsAll(t *testing.T) {
	t.Parallel()
	g := newGroup(t, time.Minute)
	g.Go("http", untilStopped)
	g.Go("rpc", func(context.Context) error { return errors.New("queue is gone") })

	require.EqualError(t, g.Wait(), "rpc: queue is gone")
}

func TestGroup_APartThatEndsStopsAllWithoutError(t *testing.T) {
	t.Parallel()
	g := newGroup(t, time.Minute)
	g.Go("http", untilStopped)
	g.Go("job", func(context.Context) error { return nil })

	require.NoError(t, g.Wait())
}

func TestGroup_WorkOutlastsTheStop(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	g := shutdown.New(ctx, shutdown.Options{Grace: time.Minute, Logger: quiet()})
	g.Go("rpc", func(ctx context.Context) error {
		<-ctx.Done()
		return g.Work().Err()
	})
	cancel()

	require.NoError(t, g.Wait())
	require.Error(t, g.Work().Err(), "work ends with the group")
}

func TestGroup_WhatOutlastsTheGraceIsNamed(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	g := shutdown.New(ctx, shutdown.Options{Grace: time.Millisecond, Logger: quiet()})
	g.Go("http", untilStopped)
	g.Go("rpc", func(context.Context) error { select {} })
	cancel()

	var late *shutdown.DeadlineError
	require.ErrorAs(t, g.Wait(), &late)
	require.Contains(t, late.Running, "rpc")
}

// start runs this test program as a service and waits until it runs.
func start(t *testing.T, kind string) (*exec.Cmd, io.Reader) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), asProgram+"="+kind)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	await(t, out, 'r')
	return cmd, out
}

func await(t *testing.T, out io.Reader, want byte) {
	t.Helper()
	got := make([]byte, 1)
	_, err := io.ReadFull(out, got)
	require.NoError(t, err)
	require.Equal(t, want, got[0])
}

func TestGroup_SignalsStopInOrder(t *testing.T) {
	t.Parallel()
	for _, s := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		cmd, out := start(t, "orderly")
		require.NoError(t, cmd.Process.Signal(s))
		await(t, out, 's')
		require.NoError(t, cmd.Wait())
	}
}

func TestGroup_ASecondSignalEndsAtOnce(t *testing.T) {
	t.Parallel()
	cmd, out := start(t, "stubborn")
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	await(t, out, 's')
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))

	var exited *exec.ExitError
	require.ErrorAs(t, cmd.Wait(), &exited)
	require.Equal(t, 130, exited.ExitCode())
}
