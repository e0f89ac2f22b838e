// Package output writes a command's result: as a table for people, as JSON or
// CSV for programs. A result is written in one piece or it is an error.
package output

import "strings"

// Format is a value of -o.
type Format string

// The formats. Nagios is for checks only.
const (
	FormatTable  Format = "table"
	FormatJSON   Format = "json"
	FormatCSV    Format = "csv"
	FormatNagios Format = "nagios"
)

// Choice is the flag -o: one of the allowed formats.
type Choice struct {
	Format  Format
	Allowed []Format
}

// NewChoice returns a choice of table (the default), json and csv, and of what
// is added.
func NewChoice(added ...Format) *Choice {
	return &Choice{Format: FormatTable, Allowed: append([]Format{FormatTable, FormatJSON, FormatCSV}, added...)}
}

// String implements pflag.Value.
func (c *Choice) String() string { return string(c.Format) }

// Type implements pflag.Value.
func (c *Choice) Type() string { return "format" }

// Set implements pflag.Value.
func (c *Choice) Set(value string) error {
	for _, f := range c.Allowed {
		if string(f) == value {
			c.Format = f
			return nil
		}
	}
	return &FormatError{Allowed: c.names()}
}

// Usage describes the flag.
func (c *Choice) Usage() string { return "output format: " + strings.Join(c.names(), ", ") }

// Complete lists the values for the shell.
func (c *Choice) Complete() []string { return c.names() }

func (c *Choice) names() []string {
	names := make([]string, len(c.Allowed))
	for i, f := range c.Allowed {
		names[i] = string(f)
	}
	return names
}

// FormatError refuses a format that a command does not have.
type FormatError struct {
	Allowed []string
}

func (e *FormatError) Error() string { return "must be one of " + strings.Join(e.Allowed, ", ") }
