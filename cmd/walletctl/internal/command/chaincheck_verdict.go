package command

import (
	"cmp"
	"fmt"

	"github.com/walletctl/walletctl/chaincheck"
	"github.com/walletctl/walletctl/chaincheck/alert"
	"github.com/walletctl/walletctl/cmd/internal/exit"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
)

// unreadReport is the report of a run that did not come to reading.
func unreadReport(f *factory, err error) chaincheck.Report {
	now := f.now().UTC()
	return chaincheck.Report{
		SchemaVersion: chaincheck.SchemaVersion, Status: chaincheck.StatusUnknown, Error: err.Error(),
		StartedAt: now, FinishedAt: now, WindowEnd: now,
		Replica:  chaincheck.Replica{LagMillis: -1},
		Warnings: []chaincheck.Warning{}, Notes: []string{}, Unread: []chaincheck.UnreadRange{},
		Findings: []chaincheck.Finding{}, FindingsByKind: map[chaincheck.Kind]int64{}, MoneyInDoubt: map[string]string{},
	}
}

// verdictError carries the report's exit code. A run that failed is never
// clean, whatever its report says.
func verdictError(report *chaincheck.Report, err error) error {
	code := report.ExitCode()
	if err != nil && code == exit.Clean {
		code = exit.Unknown
	}
	if code == exit.Clean {
		return nil
	}
	return &statusError{code: code, err: err}
}

// sinks are those of the flags, or else of the environment.
func (c *chaincheckFlags) sinks(s settings) (*alert.Sinks, error) {
	options := c.sinkTo
	options.Textfile = cmp.Or(options.Textfile, s.Textfile)
	options.PingURL = cmp.Or(options.PingURL, s.PingURL.Reveal())
	return alert.New(options)
}

// outcome is the report as the sinks tell it. Kinds without a finding are told
// as well: a series that does not exist raises no alarm.
func outcome(r *chaincheck.Report) alert.Outcome {
	o := alert.Outcome{
		Job: "chaincheck", Code: r.ExitCode(), Summary: output.Safe(verdictText(r)),
		StartedAt: r.StartedAt, FinishedAt: r.FinishedAt, Lag: r.Replica.Lag(),
		Wallets: r.WalletsChecked, Entries: r.EntriesChecked, Unread: r.UnreadCount,
		Findings: map[string]int64{}, InDoubt: r.MoneyInDoubt,
	}
	for _, kind := range chaincheck.Kinds() {
		o.Findings[string(kind)] = r.FindingsByKind[kind]
	}
	return o
}

// remark tells on stderr of a failure that does not change the verdict: a sink
// that could not be reached is missed by whoever waits for it.
func (f *factory) remark(err error) {
	if err != nil {
		fmt.Fprintf(f.streams.Err, "walletctl: %s\n", output.Safe(err.Error()))
	}
}
