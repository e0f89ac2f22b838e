package broker

import (
	"errors"
	"log/slog"
	"time"
)

// Options of a Conn.
type Options struct {
	// Name is shown in the broker's list of connections. Required: "casino-7f".
	Name string
	// Logger receives losses and recoveries. Default: slog.Default().
	Logger *slog.Logger
	// Heartbeat is the interval of keep-alive frames; a peer that is silent
	// for three of them is gone. Default 10 s.
	Heartbeat time.Duration
	// ConnectTimeout bounds one attempt to connect. Default 10 s.
	ConnectTimeout time.Duration
	// FirstRetry and MaxRetry bound the wait between attempts to connect and
	// to consume. Default 250 ms and 5 s: retries of credits count on it.
	FirstRetry, MaxRetry time.Duration
	// CloseTimeout bounds Close where its context has no deadline. Default 5 s.
	CloseTimeout time.Duration
}

// Validate refuses options that make no sense.
func (o *Options) Validate() error {
	if o.Name == "" {
		return errors.New("broker options: Name must be set")
	}
	if o.Heartbeat < 0 || o.ConnectTimeout < 0 || o.FirstRetry < 0 || o.MaxRetry < 0 || o.CloseTimeout < 0 {
		return errors.New("broker options: durations must not be negative")
	}
	return nil
}

func (o *Options) setDefaults() {
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	setDefault(&o.Heartbeat, 10*time.Second)
	setDefault(&o.ConnectTimeout, 10*time.Second)
	setDefault(&o.FirstRetry, 250*time.Millisecond)
	setDefault(&o.MaxRetry, 5*time.Second)
	setDefault(&o.CloseTimeout, 5*time.Second)
}

func setDefault[T comparable](option *T, value T) {
	var zero T
	if *option == zero {
		*option = value
	}
}
