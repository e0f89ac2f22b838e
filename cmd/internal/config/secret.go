package config

import "log/slog"

const masked = "[secret]"

// Secret is a setting that is never printed: not by fmt, not in JSON, not in a
// log. A URL with a password is one.
type Secret string

// Reveal returns the value itself.
func (s Secret) Reveal() string { return string(s) }

// String implements [fmt.Stringer].
func (s Secret) String() string { return masked }

// GoString implements [fmt.GoStringer].
func (s Secret) GoString() string { return masked }

// LogValue implements [slog.LogValuer].
func (s Secret) LogValue() slog.Value { return slog.StringValue(masked) }

// MarshalText implements [encoding.TextMarshaler].
func (s Secret) MarshalText() ([]byte, error) { return []byte(masked), nil }
