package alert_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/chaincheck/alert"
)

// deadMan is a dead man's switch that remembers its calls and answers the
// given codes in turn, the last one ever after.
type deadMan struct {
	*httptest.Server
	mu    sync.Mutex
	calls []string
	codes []int
}

func newDeadMan(t *testing.T, codes ...int) *deadMan {
	d := &deadMan{codes: codes}
	d.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		d.mu.Lock()
		defer d.mu.Unlock()
		d.calls = append(d.calls, r.URL.Path+" "+string(body))
		w.WriteHeader(d.codes[0])
		if len(d.codes) > 1 {
			d.codes = d.codes[1:]
		}
	}))
	t.Cleanup(d.Close)
	return d
}

func newSinks(t *testing.T, options alert.Options) *alert.Sinks {
	t.Helper()
	options.Pause = time.Millisecond
	sinks, err := alert.New(options)
	require.NoError(t, err)
	return sinks
}

func outcome(code int, at int64) alert.Outcome {
	return alert.Outcome{
		Job: "chaincheck", Code: code, Summary: "2 wallets broken", StartedAt: time.Unix(at-10, 0), FinishedAt: time.Unix(at, 0),
		Lag: 1500 * time.Millisecond, Wallets: 7, Entries: 1234567,
		Findings: map[string]int64{"hole": 2, "hash": 0}, InDoubt: map[string]string{"EUR": "5.00000001"},
	}
}

func TestPing_StartThenSuccessOrFail(t *testing.T) {
	t.Parallel()
	for code, want := range map[int]string{0: "/key", 1: "/key", 2: "/key/fail", 3: "/key/fail"} {
		d := newDeadMan(t, 200)
		sinks := newSinks(t, alert.Options{PingURL: d.URL + "/key"})
		require.NoError(t, sinks.Start(context.Background()))
		require.NoError(t, sinks.Finish(context.Background(), outcome(code, 100)))
		require.Equal(t, []string{"/key/start ", want + " 2 wallets broken"}, d.calls)
	}
}

func TestPing_PassingFailureIsRepeatedAndThenSaid(t *testing.T) {
	t.Parallel()
	d := newDeadMan(t, 503, 200)
	require.NoError(t, newSinks(t, alert.Options{PingURL: d.URL}).Start(context.Background()))
	require.Len(t, d.calls, 2)

	d = newDeadMan(t, 503)
	err := newSinks(t, alert.Options{PingURL: d.URL + "/secret-key"}).Start(context.Background())
	require.ErrorContains(t, err, "answered 503")
	require.NotContains(t, err.Error(), "secret-key")
	require.Len(t, d.calls, alert.DefaultAttempts)

	d = newDeadMan(t, 404)
	require.Error(t, newSinks(t, alert.Options{PingURL: d.URL}).Start(context.Background()))
	require.Len(t, d.calls, 1, "asking again does not help")
}

func TestPing_ErrorsDoNotHoldTheURL(t *testing.T) {
	t.Parallel()
	d := newDeadMan(t, 200)
	d.Close()
	err := newSinks(t, alert.Options{PingURL: d.URL + "/secret-key"}).Start(context.Background())
	require.Error(t, err)
	require.NotContains(t, err.Error(), "secret-key")
}

func TestPing_AnInterruptedRunStillSaysThatItFailed(t *testing.T) {
	t.Parallel()
	d := newDeadMan(t, 200)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	require.NoError(t, newSinks(t, alert.Options{PingURL: d.URL}).Finish(ctx, outcome(3, 100)))
	require.Equal(t, []string{"/fail 2 wallets broken"}, d.calls)
}

func TestTextfile_HoldsTheOutcome(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "chaincheck.prom")
	require.NoError(t, newSinks(t, alert.Options{Textfile: path}).Finish(context.Background(), outcome(2, 2000)))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	for _, line := range []string{
		"walletctl_chaincheck_status 2\n",
		"walletctl_chaincheck_last_run_timestamp_seconds 2000\n",
		"walletctl_chaincheck_entries 1.234567e+06\n",
		"walletctl_chaincheck_replica_lag_seconds 1.5\n",
		`walletctl_chaincheck_findings{kind="hole"} 2` + "\n",
		`walletctl_chaincheck_findings{kind="hash"} 0` + "\n",
		`walletctl_chaincheck_money_in_doubt_info{amount="5.00000001",currency="EUR"} 1` + "\n",
	} {
		require.Contains(t, string(text), line)
	}
	require.NotContains(t, string(text), "last_success", "there was none")
}

func TestTextfile_AFailureKeepsTheTimeOfTheLastSuccess(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "chaincheck.prom")
	sinks := newSinks(t, alert.Options{Textfile: path})
	for _, o := range []alert.Outcome{outcome(0, 1000), outcome(2, 2000), outcome(3, 3000)} {
		require.NoError(t, sinks.Finish(context.Background(), o))
	}
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(text), "walletctl_chaincheck_last_success_timestamp_seconds 1000\n")
	require.Contains(t, string(text), "walletctl_chaincheck_last_run_timestamp_seconds 3000\n")
}

func TestFinish_OneFailingSinkDoesNotKeepTheOtherFromTelling(t *testing.T) {
	t.Parallel()
	d := newDeadMan(t, 200)
	path := filepath.Join(t.TempDir(), "missing", "chaincheck.prom")
	err := newSinks(t, alert.Options{Textfile: path, PingURL: d.URL}).Finish(context.Background(), outcome(0, 100))
	require.ErrorContains(t, err, "write textfile")
	require.Len(t, d.calls, 1)
}

func TestOptions_WhatCannotWorkIsRefused(t *testing.T) {
	t.Parallel()
	for name, options := range map[string]alert.Options{
		"textfile": {Textfile: "/tmp/chaincheck.txt"},
		"scheme":   {PingURL: "ftp://host/key"},
		"no host":  {PingURL: "https:///key"},
		"no url":   {PingURL: "%zz"},
		"timeout":  {Timeout: -1},
	} {
		_, err := alert.New(options)
		require.Error(t, err, name)
	}
}
