package health_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/internal/health"
)

func ready(t *testing.T, checks *health.Checks) (int, []health.Result) {
	t.Helper()
	w := httptest.NewRecorder()
	checks.ServeHTTP(w, httptest.NewRequest("GET", "/readyz", nil))
	var body struct {
		Ready  bool
		Checks []health.Result
	}
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &body))
	require.Equal(t, w.Code == 200, body.Ready)
	return w.Code, body.Checks
}

func TestReadyz_EveryCheckMustBeWell(t *testing.T) {
	t.Parallel()
	var checks health.Checks
	code, _ := ready(t, &checks)
	require.Equal(t, 200, code, "nothing to wait for")

	broker := errors.New("connection refused")
	checks.Register("database", func(context.Context) error { return nil })
	checks.Register("broker", func(context.Context) error { return broker })
	code, results := ready(t, &checks)
	require.Equal(t, 503, code)
	require.Equal(t, []health.Result{{Name: "database", OK: true}, {Name: "broker", Error: "connection refused"}}, results)

	broker = nil
	code, _ = ready(t, &checks)
	require.Equal(t, 200, code)
}

func TestReadyz_ACheckThatPanicsOrHangsHasFailed(t *testing.T) {
	t.Parallel()
	var checks health.Checks
	checks.Register("database", func(context.Context) error { panic("nil map") })
	checks.Register("broker", func(context.Context) error { select {} })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	results, well := checks.Run(ctx)

	require.False(t, well)
	require.Contains(t, results[1].Error, "no answer in time")
	require.NotEmpty(t, results[0].Error)
}

func TestReadyz_AServiceThatStopsIsNotReady(t *testing.T) {
	t.Parallel()
	var checks health.Checks
	checks.Drain()
	code, results := ready(t, &checks)

	require.Equal(t, 503, code)
	require.Equal(t, "stopping", results[0].Name)
}

func TestLivez_AnswersWhateverTheChecksSay(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	health.Live(w, httptest.NewRequest("GET", "/livez", nil))
	require.Equal(t, 200, w.Code)
}
