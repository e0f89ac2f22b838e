package simulator_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/provider/simulator"
)

// clock notes the waits, and passes none.
type clock struct {
	mu    sync.Mutex
	waits []time.Duration
}

func (c *clock) Now() time.Time { return time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC) }

func (c *clock) Wait(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waits = append(c.waits, d)
	return ctx.Err()
}

// only plays one scenario.
func only(s simulator.Scenario) map[simulator.Scenario]int {
	mix := map[simulator.Scenario]int{}
	for _, name := range simulator.Scenarios() {
		mix[simulator.Scenario(name)] = 0
	}
	mix[s] = 1
	return mix
}

// service answers the look-ups, and lets do answer all else.
func service(t *testing.T, do http.HandlerFunc) simulator.Options {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/providers/acme/games/balance" {
			_, _ = io.WriteString(w, `{"balance":"1000"}`)
			return
		}
		do(w, r)
	}))
	t.Cleanup(server.Close)
	o := options("standard")
	o.URL, o.Players, o.Rounds, o.Cut, o.Clock = server.URL, 1, 1, -1, &clock{}
	return o
}

func TestRun_SendsAgainByTheScheduleUntilItIsOut(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	bodies := map[string]int{}
	o := service(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		bodies[string(body)]++
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	o.Mix = only(simulator.Won)
	report, err := simulator.Run(t.Context(), o)
	require.NoError(t, err)

	schedule := simulator.DefaultRetries()
	// A bet and a win, and each of them again in the last round.
	for body, times := range bodies {
		require.Zero(t, times%(len(schedule)+1), body)
	}
	require.Equal(t, schedule, o.Clock.(*clock).waits[:len(schedule)])
	require.Equal(t, 4*len(schedule), report.Retries)
	require.Equal(t, (7*time.Hour+42*time.Minute+36*time.Second).Milliseconds()*4, report.WaitedMillis)
	require.Len(t, report.Findings, 4)
	for _, f := range report.Findings {
		require.Equal(t, simulator.Unanswered, f.Kind)
		require.Equal(t, "answered 503", f.Got)
		require.True(t, json.Valid([]byte(f.Request)))
		require.Len(t, f.IDs, 1)
	}
	require.Contains(t, report.Statuses, simulator.StatusCount{Status: 503, Answers: 4 * (len(schedule) + 1)})
}

// Half a body is a call that nobody can take; the others are whole.
func TestRun_CutsConnections(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var whole, half, garbled int
	o := service(t, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			half++
			return
		}
		whole++
		if !json.Valid(body) {
			garbled++
		}
		w.WriteHeader(http.StatusConflict)
		_, _ = io.WriteString(w, `{"error":{"code":"conflict"},"balance":"1000"}`)
	})
	o.Mix, o.Rounds = only(simulator.CutOff), 20
	report, err := simulator.Run(t.Context(), o)
	require.NoError(t, err)
	require.Greater(t, report.Cuts, 40)
	require.Equal(t, report.Cuts, report.Retries)
	mu.Lock()
	defer mu.Unlock()
	require.NotZero(t, half)
	require.Zero(t, garbled)
	require.Greater(t, whole, 48, "every call came whole in the end")
}

func TestRun_SaysOnceThatThereIsNothingToPlayAgainst(t *testing.T) {
	t.Parallel()
	o := service(t, nil)
	for name, c := range map[string]struct {
		change func(*simulator.Options)
		want   simulator.StartError
	}{
		"nobody there": {func(o *simulator.Options) { o.URL = "http://127.0.0.1:1" }, simulator.StartError{}},
		"no JSON":      {func(o *simulator.Options) { o.Brand = "other" }, simulator.StartError{Status: 200}},
	} {
		o := o
		o.Clock = &clock{}
		c.change(&o)
		if c.want.Status != 0 {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") }))
			defer server.Close()
			o.URL = server.URL
		}
		report, err := simulator.Run(t.Context(), o)
		var start *simulator.StartError
		require.ErrorAs(t, err, &start, name)
		require.Equal(t, c.want.Status, start.Status)
		require.Error(t, errors.Unwrap(start))
		require.Empty(t, report.Findings)
	}
}

// What no dialect of the four answers is a finding, never a panic.
func TestRun_FindsAnswersThatAreNotTheDialects(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]simulator.Kind{
		``:                                 simulator.Unreadable,
		`[]`:                               simulator.Unreadable,
		`{"balance":999.5}`:                simulator.Unreadable,
		`{"balance":"1e3"}`:                simulator.Unreadable,
		`{"transactions":[]}`:              simulator.Unreadable,
		`{"balance":"1","transactions":7}`: simulator.Unreadable,
		`{"balance":"1","transactions":[{"transaction_id":"other","receipt_id":"1"}]}`: simulator.Unreadable,
		`{"error":{"code":"insufficient_funds"},"balance":"1000"}`:                     simulator.Refusal,
		`{"error":"insufficient_funds"}`:                                               simulator.Unreadable,
	} {
		o := service(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, answer) })
		o.Mix = only(simulator.Won)
		report, err := simulator.Run(t.Context(), o)
		require.NoError(t, err)
		require.True(t, slices.ContainsFunc(report.Findings, func(f simulator.Finding) bool { return f.Kind == want }),
			"%s: %+v", answer, report.Findings)
	}
}

func TestFastClock_IsFasterAndCanBeStopped(t *testing.T) {
	t.Parallel()
	clock := simulator.FastClock{Speed: 3_600_000}
	require.NoError(t, clock.Wait(t.Context(), time.Hour))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, simulator.FastClock{}.Wait(ctx, time.Hour), context.Canceled)
}
