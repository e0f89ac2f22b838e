package command

import (
	"fmt"
	"time"
)

// when is a flag that holds a point of time: RFC 3339, a date (UTC), or how
// long ago.
type when struct {
	now  func() time.Time
	text string
	at   time.Time
}

const whenUsage = "2026-11-30, 2026-11-30T12:00:00Z, or how long ago: 36h"

// String implements pflag.Value.
func (w *when) String() string { return w.text }

// Type implements pflag.Value.
func (w *when) Type() string { return "time" }

// Set implements pflag.Value.
func (w *when) Set(text string) error {
	at, err := w.parse(text)
	if err != nil {
		return err
	}
	w.text, w.at = text, at.UTC()
	return nil
}

func (w *when) parse(text string) (time.Time, error) {
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
		if at, err := time.Parse(layout, text); err == nil {
			return at, nil
		}
	}
	if ago, err := time.ParseDuration(text); err == nil && ago >= 0 {
		return w.now().Add(-ago), nil
	}
	return time.Time{}, fmt.Errorf("write it as %s", whenUsage)
}

// instant formats a time for tables and CSV: UTC, microseconds as stored.
func instant(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format("2006-01-02T15:04:05.000000Z")
}

// instantOrNone is [instant] for a time that may not have come.
func instantOrNone(at *time.Time) string {
	if at == nil {
		return ""
	}
	return instant(*at)
}
