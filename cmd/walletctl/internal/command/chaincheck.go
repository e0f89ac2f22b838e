package command

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/chaincheck"
	"github.com/walletctl/walletctl/chaincheck/alert"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
)

// chaincheckFlags are the command's flags.
type chaincheckFlags struct {
	options chaincheck.Options
	wallet  string
	primary bool
	sinkTo  alert.Options
	format  *output.Choice
}

func newChaincheckCmd(f *factory) *cobra.Command {
	flags := &chaincheckFlags{format: output.NewChoice(output.FormatNagios)}
	cmd := &cobra.Command{
		Use:   "chaincheck",
		Short: "Check that every wallet's chain is closed",
		Long: `Check that every wallet's chain is closed: on a replica, without writing to any
database. Every wallet's head is compared with its last entry and with the
checkpoint; entries are followed link by link, over a window of time or all.

Exit code: 0 closed, 1 warning (the replica lags, hashes were not verified), 2
broken, 3 could not tell.`,
		Example: `  walletctl chaincheck --state /var/lib/walletctl/chaincheck
  walletctl chaincheck --all --brand acme -o json`,
		Args:        args(cobra.NoArgs),
		Annotations: map[string]string{checks: "yes"},
		RunE: func(cmd *cobra.Command, _ []string) error {
			return flags.run(cmd.Context(), f)
		},
	}
	flags.add(cmd)
	return cmd
}

func (c *chaincheckFlags) add(cmd *cobra.Command) {
	o, flags := &c.options, cmd.Flags()
	flags.DurationVar(&o.Window, "window", chaincheck.DefaultWindow, "how far back entries are read; at least to an hour before the last good run")
	flags.BoolVar(&o.All, "all", false, "read every entry there is")
	flags.StringVar(&o.Brand, "brand", "", "check the wallets of one brand")
	flags.StringVar(&c.wallet, "wallet", "", "check one wallet, by its id")
	flags.DurationVar(&o.MaxLag, "max-lag", chaincheck.DefaultMaxLag, "how far the replica may be behind before it is a warning")
	flags.IntVar(&o.Workers, "workers", 0, "connections that read at the same time (0: one a processor, at most 4)")
	flags.StringVar(&o.StateDir, "state", "", "directory of the checkpoint, outside the database's host (CHAINCHECK_STATE)")
	flags.BoolVar(&c.primary, "primary", false, "read the primary, by GAMING_DATABASE_URL, instead of DATABASE_REPLICA_URL")
	flags.StringVar(&c.sinkTo.Textfile, "textfile", "", "file for Prometheus' node exporter, ending in .prom (CHAINCHECK_TEXTFILE)")
	flags.StringVar(&c.sinkTo.PingURL, "ping-url", "", "dead man's switch to call; better set CHAINCHECK_PING_URL, which others cannot see")
	cmd.MarkFlagsMutuallyExclusive("all", "window")
	cmd.MarkFlagsMutuallyExclusive("brand", "wallet")
	_ = cmd.MarkFlagDirname("state")
	addOutput(cmd, c.format)
}

// run always ends with a report, also where nothing could be read: whoever
// watches gets a verdict in the format that was asked for, and so do the sinks.
func (c *chaincheckFlags) run(ctx context.Context, f *factory) error {
	if err := c.parse(); err != nil {
		return err
	}
	s, settingsErr := f.settings()
	sinks, err := c.sinks(s)
	if err != nil {
		return &usageError{err: err}
	}
	f.remark(sinks.Start(ctx))
	report, err := c.report(ctx, f, s, settingsErr)
	written := output.Write(f.streams.Out, c.format.Format, chaincheckResult(f, &report))
	f.remark(sinks.Finish(ctx, outcome(&report)))
	if written != nil {
		return errors.Join(written, err)
	}
	return verdictError(&report, err)
}

func (c *chaincheckFlags) report(ctx context.Context, f *factory, s settings, err error) (chaincheck.Report, error) {
	report := chaincheck.Report{}
	if err == nil {
		report, err = c.check(ctx, f, s)
	}
	if err != nil && report.SchemaVersion == 0 {
		report = unreadReport(f, err)
	}
	return report, err
}

func (c *chaincheckFlags) parse() error {
	if c.wallet != "" {
		id, err := walletID([]string{c.wallet})
		if err != nil {
			return usagef("", "--wallet: %w", err)
		}
		c.options.Wallet = id
	}
	if c.options.Window == 0 || c.options.MaxLag == 0 {
		return usagef("", "--window and --max-lag must be above zero")
	}
	if err := c.options.Validate(); err != nil {
		return &usageError{err: err}
	}
	return nil
}

// check opens the replica and runs the check. Without an error before the run
// the report is chaincheck's own.
func (c *chaincheckFlags) check(ctx context.Context, f *factory, s settings) (chaincheck.Report, error) {
	options := c.options
	if options.StateDir == "" {
		options.StateDir = s.StateDir
	}
	deps, closeDeps, err := c.deps(ctx, f, s)
	if err != nil {
		return chaincheck.Report{}, err
	}
	defer closeDeps()
	bar := newProgress(f.streams)
	defer bar.clear()
	options.Progress = bar.show()
	return f.check(ctx, deps, options)
}
