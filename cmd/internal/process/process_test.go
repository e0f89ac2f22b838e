package process_test

import (
	"context"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/internal/process"
)

// playing says what the test program plays.
const playing = "PROCESS_TEST_PLAYS"

func TestMain(m *testing.M) {
	switch os.Getenv(playing) {
	case "service":
		os.Exit(play())
	case "failure":
		os.Exit(3)
	}
	os.Exit(m.Run())
}

// play is a service that is always ready and ends with 4 on SIGTERM.
func play() int {
	listener, err := net.Listen("tcp", os.Getenv("HTTP_ADDR"))
	if err != nil {
		return 1
	}
	go func() { _ = http.Serve(listener, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})) }()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM)
	_, _ = os.Stderr.WriteString("no JSON\n" + `{"msg":"listening","address":"` + listener.Addr().String() + `"}` + "\n")
	<-signals
	return 4
}

func start(t *testing.T, what string) *process.Process {
	t.Helper()
	p, err := process.Start(process.Options{Name: what, Binary: os.Args[0], Env: []string{playing + "=" + what}, Log: t.Output()})
	require.NoError(t, err)
	t.Cleanup(p.Kill)
	return p
}

func within(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func TestProcess_IsReadyUntilItIsToldToStop(t *testing.T) {
	t.Parallel()
	p := start(t, "service")
	require.NoError(t, p.WaitReady(within(t)))
	require.NoError(t, p.WaitReady(within(t)), "asked again")
	require.NotEmpty(t, p.URL())
	require.ErrorContains(t, p.Terminate(within(t)), "service: exit status 4")
	require.Equal(t, 4, p.ExitCode())
}

func TestProcess_KilledIsGone(t *testing.T) {
	t.Parallel()
	p := start(t, "service")
	require.NoError(t, p.WaitReady(within(t)))
	p.Kill()
	require.Equal(t, -1, p.ExitCode())
	_, err := http.Get(p.URL())
	require.Error(t, err)
}

func TestWaitReady_OneThatEndsWhileStartingIsAnError(t *testing.T) {
	t.Parallel()
	p := start(t, "failure")
	require.ErrorContains(t, p.WaitReady(within(t)), "failure ended while starting, with exit code 3")
	require.Empty(t, p.URL())
}
