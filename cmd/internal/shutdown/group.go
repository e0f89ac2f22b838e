// Package shutdown runs the parts of a service together and stops them
// together: when one fails, or on SIGTERM or SIGINT.
//
// Each part gets a context that ends when the service is to stop: from then on
// it takes nothing new. Work in progress goes on under [Group.Work], which
// ends only with the deadline, so that a movement is not torn down half-way by
// a deployment. A second signal ends the process at once.
package shutdown

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/walletctl/walletctl/cmd/internal/exit"
)

// DefaultGrace is the time that parts have to end; container platforms kill
// after 30 s.
const DefaultGrace = 25 * time.Second

// Options of a group.
type Options struct {
	// Grace is how long the parts may take to end (SHUTDOWN_GRACE); 0 is
	// DefaultGrace.
	Grace time.Duration
	// Logger tells about signals; nil is slog.Default.
	Logger *slog.Logger
	// Exit ends the process on a second signal; nil is os.Exit.
	Exit func(code int)
}

// Group is a set of parts that live and die together.
type Group struct {
	opts    Options
	parts   *errgroup.Group
	stop    context.Context // ends when the parts are to stop
	cancel  context.CancelFunc
	work    context.Context // ends with the deadline
	abort   context.CancelFunc
	signals chan os.Signal
	ended   chan struct{} // closed when Wait returns

	mu      sync.Mutex
	running []string
}

// New returns a group that listens for SIGTERM and SIGINT from now on until
// [Group.Wait] returns. ctx ends it as a signal does.
func New(ctx context.Context, opts Options) *Group {
	if opts.Grace == 0 {
		opts.Grace = DefaultGrace
	}
	if opts.Logger == nil {
		opts.Logger = slog.Default()
	}
	if opts.Exit == nil {
		opts.Exit = os.Exit
	}
	g := &Group{opts: opts, signals: make(chan os.Signal, 2), ended: make(chan struct{})}
	g.work, g.abort = context.WithCancel(context.WithoutCancel(ctx))
	ctx, g.cancel = context.WithCancel(ctx)
	g.parts, g.stop = errgroup.WithContext(ctx)
	signal.Notify(g.signals, syscall.SIGTERM, os.Interrupt)
	go g.listen()
	return g
}

// Context ends when the parts are to stop. Use it for what is done before the
// parts run, such as waiting for the database.
func (g *Group) Context() context.Context { return g.stop }

// Work is the context of work in progress: it outlasts the stop until the
// grace is over.
func (g *Group) Work() context.Context { return g.work }

// Go runs a part. The part returns nil after its context has ended; when it
// returns before, with or without an error, the whole group stops.
func (g *Group) Go(name string, part func(ctx context.Context) error) {
	g.started(name)
	g.parts.Go(func() error {
		defer g.stopped(name)
		err := part(g.stop)
		if err != nil && !(g.stop.Err() != nil && errors.Is(err, context.Canceled)) {
			return fmt.Errorf("%s: %w", name, err)
		}
		g.cancel()
		return nil
	})
}

// Wait returns when every part has ended, with the first error, or when the
// grace is over, with a *DeadlineError.
func (g *Group) Wait() error {
	defer close(g.ended)
	defer signal.Stop(g.signals)
	defer g.abort()
	done := make(chan error, 1)
	go func() { done <- g.parts.Wait() }()
	select {
	case err := <-done:
		return err
	case <-g.stop.Done():
	}
	deadline := time.NewTimer(g.opts.Grace)
	defer deadline.Stop()
	select {
	case err := <-done:
		return err
	case <-deadline.C:
		return &DeadlineError{Grace: g.opts.Grace, Running: g.names()}
	}
}

func (g *Group) listen() {
	asked := false
	for {
		select {
		case <-g.ended:
			return
		case s := <-g.signals:
			if asked {
				g.opts.Logger.Error("ending at once", "signal", s.String())
				g.opts.Exit(exit.Interrupted)
				return
			}
			asked = true
			g.opts.Logger.Info("stopping", "signal", s.String(), "grace", g.opts.Grace.String())
			g.cancel()
		}
	}
}

func (g *Group) started(name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running = append(g.running, name)
}

func (g *Group) stopped(name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if i := slices.Index(g.running, name); i >= 0 {
		g.running = slices.Delete(g.running, i, i+1)
	}
}

func (g *Group) names() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.running)
}

// DeadlineError says which parts did not end in time. What they were doing is
// safe to repeat: every effect has its key.
type DeadlineError struct {
	Grace   time.Duration
	Running []string
}

func (e *DeadlineError) Error() string {
	return fmt.Sprintf("still running %s after the stop: %s", e.Grace, strings.Join(e.Running, ", "))
}
