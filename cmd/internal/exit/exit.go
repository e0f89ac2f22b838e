// Package exit names the exit codes of the programs. They are a contract: cron
// jobs, unit files and scripts decide by them.
package exit

// Codes of every command but the checks.
const (
	// OK: done.
	OK = 0
	// Failed: it failed, and nothing was changed.
	Failed = 1
	// Usage: the command line is wrong, or what moves money was not confirmed.
	Usage = 2
	// Partly: some of it was done; the output says what.
	Partly = 3
	// Waiting: recorded, and waiting for a second person or for a service.
	Waiting = 8
	// Interrupted: stopped by Ctrl-C or SIGTERM.
	Interrupted = 130
)

// Codes of the checks, as monitoring systems read them.
const (
	// Clean: checked, and nothing found.
	Clean = 0
	// Warning: checked, but with a doubt that the output names.
	Warning = 1
	// Broken: a break was found.
	Broken = 2
	// Unknown: it could not be told. Never read it as clean.
	Unknown = 3
)
