package tui

import (
	"context"
	"io"
	"time"

	"github.com/walletctl/walletctl/replay"
	"github.com/walletctl/walletctl/walletcore"
)

// Desk is what the screen works with. *replay.Desk is one.
type Desk interface {
	Stuck(context.Context, replay.StuckFilter) ([]replay.Item, error)
	Case(context.Context, replay.Ref) (replay.Case, error)
	Explain(context.Context, replay.Subject) (replay.Story, error)
	Run(context.Context, replay.RunOptions) ([]replay.Result, error)
	Claim(ctx context.Context, ref replay.Ref, takeOver bool) error
	Release(context.Context, replay.Ref) error
	Note(ctx context.Context, ref replay.Ref, text string) error
	Resolve(ctx context.Context, ref replay.Ref, reason string) error
}

var _ Desk = (*replay.Desk)(nil)

const defaultRefresh = 5 * time.Second

// Options of Run.
type Options struct {
	Desk Desk
	// Who is the login that acts, as the database knows it.
	Who string
	// Refresh is the time from one reading to the next; 5 s by default.
	Refresh time.Duration
	// Rate is how many a bulk replay sends in a second, at most; 0 is the
	// desk's own default.
	Rate int
	// Now is the clock; time.Now by default.
	Now func() time.Time
	// Input and Output must be terminals.
	Input  io.Reader
	Output io.Writer
	// Color allows the terminal's own sixteen colours. Without it bold, faint
	// and reverse remain.
	Color bool
}

// Validate refuses options that cannot work. The error is a
// *walletcore.FieldError.
func (o *Options) Validate() error {
	switch {
	case o.Desk == nil:
		return &walletcore.FieldError{Field: "desk", Reason: "is missing"}
	case o.Refresh < 0:
		return &walletcore.FieldError{Field: "refresh", Reason: "must not be negative"}
	case o.Input == nil || o.Output == nil:
		return &walletcore.FieldError{Field: "terminal", Reason: "is missing"}
	}
	return nil
}

func (o Options) withDefaults() Options {
	if o.Refresh == 0 {
		o.Refresh = defaultRefresh
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}
