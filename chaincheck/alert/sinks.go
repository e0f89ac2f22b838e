package alert

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Defaults of [Options].
const (
	DefaultTimeout  = 10 * time.Second
	DefaultAttempts = 3
)

// Options say where to. The zero value tells nobody.
type Options struct {
	// Textfile is the file for the node exporter's textfile collector, which
	// takes only names that end in .prom.
	Textfile string
	// PingURL is a dead man's switch: <URL>/start is called when the run begins,
	// <URL> when it succeeded, <URL>/fail when it did not. Whoever knows the
	// URL can silence the alarm, so it is never printed.
	PingURL string
	// Timeout bounds one call; default 10 seconds.
	Timeout time.Duration
	// Attempts bounds the calls for one ping; default 3.
	Attempts int
	// Pause is the wait before the second attempt, doubled for each further
	// one; default 1 second.
	Pause time.Duration
}

// Validate refuses options that can never work. Errors do not hold the URL.
func (o *Options) Validate() error {
	if o.Textfile != "" && !strings.HasSuffix(o.Textfile, ".prom") {
		return fmt.Errorf("textfile %s: its name must end in .prom", o.Textfile)
	}
	if o.PingURL != "" {
		u, err := url.Parse(o.PingURL)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
			return errors.New("the ping URL is not an http or https URL")
		}
	}
	if o.Timeout < 0 || o.Attempts < 0 || o.Pause < 0 {
		return errors.New("time-out, attempts and pause must not be negative")
	}
	return nil
}

// Sinks tell how a run goes.
type Sinks struct {
	options Options
	client  *http.Client
}

// New returns the sinks that the options name.
func New(options Options) (*Sinks, error) {
	if err := options.Validate(); err != nil {
		return nil, err
	}
	if options.Timeout == 0 {
		options.Timeout = DefaultTimeout
	}
	if options.Attempts == 0 {
		options.Attempts = DefaultAttempts
	}
	if options.Pause == 0 {
		options.Pause = time.Second
	}
	return &Sinks{options: options, client: &http.Client{Timeout: options.Timeout}}, nil
}

// Start tells that a run begins.
func (s *Sinks) Start(ctx context.Context) error { return s.ping(ctx, "/start", "") }

// Finish tells how a run ended, to every sink, whichever of them fail. It
// still tells where ctx is done, within the time-outs: a run that was
// interrupted has failed as well.
func (s *Sinks) Finish(ctx context.Context, outcome Outcome) error {
	ctx = context.WithoutCancel(ctx)
	path := ""
	if !outcome.Success() {
		path = "/fail"
	}
	return errors.Join(s.writeTextfile(&outcome), s.ping(ctx, path, outcome.Summary))
}
