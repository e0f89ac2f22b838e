// Package service is the frame of a service: it reads the settings, opens the
// database, refuses a schema that is not fit to serve, answers the platform's
// questions over HTTP, and stops in order.
//
//	func main() { os.Exit(service.Main("gaming", run)) }
//
//	func run(s *service.Service, settings Settings) error {
//		pool, err := s.Database(service.Database{...})
//		...
//		s.Go("rpc", server.Run)
//		return s.Serve(handler)
//	}
package service

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/walletctl/walletctl/cmd/internal/config"
	"github.com/walletctl/walletctl/cmd/internal/exit"
	"github.com/walletctl/walletctl/cmd/internal/health"
	"github.com/walletctl/walletctl/cmd/internal/hint"
	"github.com/walletctl/walletctl/cmd/internal/httpserver"
	"github.com/walletctl/walletctl/cmd/internal/logging"
	"github.com/walletctl/walletctl/cmd/internal/shutdown"
	"github.com/walletctl/walletctl/cmd/internal/version"
)

// Service is a running service. Its group stops it.
type Service struct {
	*shutdown.Group

	Name    string
	Logger  *slog.Logger
	Metrics *prometheus.Registry
	Checks  *health.Checks

	settings Settings
	closers  []func()
}

// sharing are a service's own settings, which embed the shared ones.
type sharing[T any] interface {
	*T
	shared() *Settings
}

func (s *Settings) shared() *Settings { return s }

// Main reads T, which embeds [Settings], from the environment, starts the
// service and returns the code to exit with: 0 after an orderly stop, 1 after
// a failure, which is logged once, with what to try.
func Main[T any, P sharing[T]](name string, run func(s *Service, settings T) error) int {
	return mainWith[T, P](os.Stderr, config.Options{}, name, run)
}

func mainWith[T any, P sharing[T]](stderr io.Writer, opts config.Options, name string, run func(s *Service, settings T) error) int {
	logger, _ := logging.New(stderr, name, "info")
	settings, err := config.Load[T](opts)
	if err != nil {
		return fail(logger, err)
	}
	shared := P(&settings).shared()
	if err := shared.Validate(); err != nil {
		return fail(logger, err)
	}
	configured, err := logging.New(stderr, name, shared.LogLevel)
	if err != nil {
		return fail(logger, err)
	}
	slog.SetDefault(configured)
	s := start(name, configured, *shared)
	defer s.close()
	return fail(configured, run(s, settings))
}

func start(name string, logger *slog.Logger, settings Settings) *Service {
	registry := prometheus.NewRegistry()
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name:        "walletctl_build_info",
		Help:        "The running build; always 1.",
		ConstLabels: prometheus.Labels{"service": name, "version": version.Get().Version},
	})
	build.Set(1)
	registry.MustRegister(build, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return &Service{
		Group:    shutdown.New(context.Background(), shutdown.Options{Grace: settings.Grace, Logger: logger}),
		Name:     name,
		Logger:   logger,
		Metrics:  registry,
		Checks:   &health.Checks{},
		settings: settings,
	}
}

// Serve answers HTTP with the handler (nil: only the platform's questions)
// until the service stops, then waits for every part.
func (s *Service) Serve(handler http.Handler) error {
	server, err := httpserver.Listen(s.Context(), httpserver.Options{
		Addr:     s.settings.HTTPAddr,
		Handler:  handler,
		Checks:   s.Checks,
		Metrics:  s.Metrics,
		Logger:   s.Logger,
		Announce: s.settings.Announce,
		Drain:    s.settings.Grace - s.settings.Announce,
	})
	if err != nil {
		return err
	}
	s.Logger.Info("listening", "address", server.Addr())
	s.Go("http", server.Run)
	err = s.Wait()
	s.Logger.Info("stopped")
	return err
}

// OnClose runs f after every part has ended, the last one added first.
func (s *Service) OnClose(f func()) { s.closers = append(s.closers, f) }

func (s *Service) close() {
	for i := len(s.closers) - 1; i >= 0; i-- {
		s.closers[i]()
	}
}

// fail logs an error once, at the edge, and returns the exit code.
func fail(logger *slog.Logger, err error) int {
	switch {
	case err == nil:
		return exit.OK
	case errors.Is(err, context.Canceled):
		// Asked to stop while starting.
		logger.Info("stopped while starting")
		return exit.OK
	}
	attrs := []any{"error", err.Error()}
	if try := hint.Of(err); try != "" {
		attrs = append(attrs, "try", try)
	}
	logger.Error("service ends", attrs...)
	return exit.Failed
}
