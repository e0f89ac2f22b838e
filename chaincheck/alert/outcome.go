package alert

import "time"

// Outcome is how a run ended.
type Outcome struct {
	// Job names the metrics: walletctl_<job>_...; lower case letters.
	Job string
	// Code is the run's exit code: 0 and 1 count as a success (it did its work,
	// and found nothing wrong), all else as a failure.
	Code       int
	Summary    string // one line for people; no secrets
	StartedAt  time.Time
	FinishedAt time.Time
	Lag        time.Duration // of what was read; below zero where it cannot be told
	Wallets    int64
	Entries    int64
	Unread     int64             // parts that could not be read
	Findings   map[string]int64  // by kind; kinds with none are worth a zero, so that the series exists
	InDoubt    map[string]string // exact decimals by currency
}

// Success reports whether the run did its work and found nothing wrong.
func (o *Outcome) Success() bool { return o.Code == 0 || o.Code == 1 }
