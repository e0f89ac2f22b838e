// Package logging makes the one logger of a service: a JSON object a line.
package logging

import (
	"io"
	"log/slog"
	"strings"

	"github.com/walletctl/walletctl/cmd/internal/config"
	"github.com/walletctl/walletctl/cmd/internal/version"
)

// New returns a logger that writes to w what is at least as grave as level
// (debug, info, warn or error; "" is info), with the service's name and
// version on every line and times in UTC. The error is a *config.Error.
func New(w io.Writer, service, level string) (*slog.Logger, error) {
	threshold, err := parseLevel(level)
	if err != nil {
		return nil, err
	}
	handler := slog.NewJSONHandler(w, &slog.HandlerOptions{Level: threshold, ReplaceAttr: utc})
	return slog.New(handler).With("service", service, "version", version.Get().Version), nil
}

func parseLevel(level string) (slog.Level, error) {
	switch strings.ToLower(level) {
	case "debug":
		return slog.LevelDebug, nil
	case "", "info":
		return slog.LevelInfo, nil
	case "warn":
		return slog.LevelWarn, nil
	case "error":
		return slog.LevelError, nil
	}
	return 0, &config.Error{
		Variable: "LOG_LEVEL",
		Problem:  "is not a level",
		Try:      "set LOG_LEVEL to debug, info, warn or error",
	}
}

func utc(_ []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() == slog.KindTime {
		a.Value = slog.TimeValue(a.Value.Time().UTC())
	}
	return a
}
