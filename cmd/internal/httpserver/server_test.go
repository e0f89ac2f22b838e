package httpserver_test

import (
	"context"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/internal/health"
	"github.com/walletctl/walletctl/cmd/internal/hint"
	"github.com/walletctl/walletctl/cmd/internal/httpserver"
)

// server runs until the test ends and returns its URL, its stop and what Run
// returned.
func server(t *testing.T, opts httpserver.Options) (url string, stop func(), ended <-chan error) {
	t.Helper()
	opts.Addr = "127.0.0.1:0"
	s, err := httpserver.Listen(t.Context(), opts)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	return "http://" + s.Addr(), cancel, done
}

func get(t *testing.T, url string) (int, string) {
	t.Helper()
	resp, err := http.Get(url)
	require.NoError(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, string(body)
}

func TestServer_AnswersThePlatformBesideTheService(t *testing.T) {
	t.Parallel()
	registry := prometheus.NewRegistry()
	registry.MustRegister(prometheus.NewCounter(prometheus.CounterOpts{Name: "posted_total"}))
	url, stop, ended := server(t, httpserver.Options{
		Metrics: registry,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) }),
	})

	code, _ := get(t, url+"/livez")
	require.Equal(t, 200, code)
	code, _ = get(t, url+"/readyz")
	require.Equal(t, 200, code)
	code, body := get(t, url+"/metrics")
	require.Equal(t, 200, code)
	require.Contains(t, body, "posted_total 0")
	code, _ = get(t, url+"/anything")
	require.Equal(t, http.StatusTeapot, code)

	stop()
	require.NoError(t, <-ended)
	_, err := http.Get(url + "/livez")
	require.Error(t, err)
}

func TestServer_StopSaysNotReadyAndLetsRequestsEnd(t *testing.T) {
	t.Parallel()
	started, release := make(chan struct{}), make(chan struct{})
	checks := &health.Checks{}
	url, stop, ended := server(t, httpserver.Options{
		Checks:   checks,
		Announce: time.Minute,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			close(started)
			<-release
			w.WriteHeader(http.StatusCreated)
		}),
	})
	answer := make(chan int, 1)
	go func() {
		code, _ := get(t, url+"/deposits")
		answer <- code
	}()
	<-started
	stop()

	require.Eventually(t, func() bool {
		code, _ := get(t, url+"/readyz")
		return code == http.StatusServiceUnavailable
	}, 5*time.Second, time.Millisecond)
	close(release)
	require.Equal(t, http.StatusCreated, <-answer)
	require.Empty(t, ended, "the door is open while the stop is announced")
}

func TestServer_ARequestThatDoesNotEndIsCutOff(t *testing.T) {
	t.Parallel()
	started := make(chan struct{})
	url, stop, ended := server(t, httpserver.Options{
		Drain: time.Millisecond,
		Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			close(started)
			<-r.Context().Done()
		}),
	})
	go func() {
		if resp, err := http.Get(url + "/slow"); err == nil {
			resp.Body.Close()
		}
	}()
	<-started
	stop()

	require.ErrorContains(t, <-ended, "drain requests")
}

func TestListen_AnAddressInUseHasAHint(t *testing.T) {
	t.Parallel()
	s, err := httpserver.Listen(t.Context(), httpserver.Options{Addr: "127.0.0.1:0"})
	require.NoError(t, err)
	_, err = httpserver.Listen(t.Context(), httpserver.Options{Addr: s.Addr()})

	require.ErrorContains(t, err, "listen on "+s.Addr())
	require.NotEmpty(t, hint.Of(err))
}
