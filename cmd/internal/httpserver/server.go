// Package httpserver runs a service's HTTP server: its own handler beside
// /livez, /readyz and /metrics, with limits against slow clients, until it is
// told to stop.
package httpserver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/walletctl/walletctl/cmd/internal/health"
	"github.com/walletctl/walletctl/cmd/internal/hint"
)

// Defaults of [Options].
const (
	DefaultReadHeaderTimeout = 5 * time.Second
	DefaultReadTimeout       = 15 * time.Second
	DefaultWriteTimeout      = 30 * time.Second
	DefaultDrain             = 20 * time.Second
)

// Options of a server.
type Options struct {
	// Addr to listen on, such as ":8080"; port 0 takes a free one.
	Addr string
	// Handler answers everything but /livez, /readyz and /metrics; nil answers
	// 404.
	Handler http.Handler
	// Checks are asked by /readyz; nil is always ready.
	Checks *health.Checks
	// Metrics are shown by /metrics; nil leaves /metrics out.
	Metrics prometheus.Gatherer
	// Logger gets the server's own errors; nil is slog.Default.
	Logger *slog.Logger
	// Announce is how long the server answers "not ready" before it closes its
	// door, so that a load balancer has noticed. 0 is not at all.
	Announce time.Duration
	// Drain is how long requests may take to end after a stop; 0 is
	// DefaultDrain.
	Drain time.Duration
}

// Server is a server that listens.
type Server struct {
	opts     Options
	listener net.Listener
	http     *http.Server
}

// Listen opens the address. The error carries a hint.
func Listen(ctx context.Context, opts Options) (*Server, error) {
	if opts.Checks == nil {
		opts.Checks = &health.Checks{}
	}
	if opts.Logger == nil {
		opts.Logger = slog.Default()
	}
	if opts.Drain == 0 {
		opts.Drain = DefaultDrain
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", opts.Addr)
	if err != nil {
		return nil, hint.With(fmt.Errorf("listen on %s: %w", opts.Addr, err), "choose an address that is free and belongs to this host")
	}
	return &Server{opts: opts, listener: listener, http: newHTTP(opts)}, nil
}

func newHTTP(opts Options) *http.Server {
	return &http.Server{
		Handler:           routes(opts),
		ReadHeaderTimeout: DefaultReadHeaderTimeout,
		ReadTimeout:       DefaultReadTimeout,
		WriteTimeout:      DefaultWriteTimeout,
		ErrorLog:          slog.NewLogLogger(opts.Logger.Handler(), slog.LevelWarn),
	}
}

func routes(opts Options) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /livez", health.Live)
	mux.Handle("GET /readyz", opts.Checks)
	if opts.Metrics != nil {
		mux.Handle("GET /metrics", promhttp.HandlerFor(opts.Metrics, promhttp.HandlerOpts{}))
	}
	if opts.Handler != nil {
		mux.Handle("/", opts.Handler)
	}
	return mux
}

// Addr returns the address that the server listens on.
func (s *Server) Addr() string { return s.listener.Addr().String() }

// Run serves until ctx ends, then says "not ready", lets the running requests
// end and returns nil. Requests that outlast the drain are cut off, and that
// is an error.
func (s *Server) Run(ctx context.Context) error {
	failed := make(chan error, 1)
	go func() { failed <- s.http.Serve(s.listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve on %s: %w", s.Addr(), err)
	case <-ctx.Done():
	}
	s.opts.Checks.Drain()
	wait(failed, s.opts.Announce)
	return s.drain(context.WithoutCancel(ctx))
}

func (s *Server) drain(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, s.opts.Drain)
	defer cancel()
	if err := s.http.Shutdown(ctx); err != nil {
		return errors.Join(fmt.Errorf("drain requests on %s: %w", s.Addr(), err), s.http.Close())
	}
	return nil
}

// wait lets the door stay open for d, unless the server fails before.
func wait(failed <-chan error, d time.Duration) {
	if d <= 0 {
		return
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-failed:
	case <-timer.C:
	}
}
