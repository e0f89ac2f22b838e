package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

func newRootCmd(f *factory) *cobra.Command {
	root := &cobra.Command{
		Use:   "walletctl",
		Short: "Operate the wallet: migrate it, check its chains, look at its money",
		Long: `Operate the wallet: migrate it, check its chains, look at its money.

The result goes to stdout, everything else to stderr. Settings come from flags,
the environment, a file (--config) and defaults, in this order.`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetIn(f.streams.In)
	root.SetOut(f.streams.Out)
	root.SetErr(f.streams.Err)
	// A command that only holds others is run to refuse; its usage is theirs.
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(), "{{if .Runnable}}", "{{if not .HasAvailableSubCommands}}", 1))
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return &usageError{err: err} })
	root.PersistentFlags().StringVar(&f.config, "config", "", "file of settings, one NAME=value a line (CONFIG_FILE)")
	_ = root.MarkPersistentFlagFilename("config")

	root.AddCommand(
		newMigrateCmd(f),
		newChaincheckCmd(f),
		newWalletCmd(f),
		newDepositsCmd(f),
		newWithdrawalsCmd(f),
		newAdjustCmd(f),
		newBackfillCmd(f),
		newDeadCmd(f),
		newStuckCmd(f),
		newReplayCmd(f),
		newCasesCmd(f),
		newExplainCmd(f),
		newDemoCmd(f),
		newSimulateCmd(f),
		newVersionCmd(f),
	)
	root.SetHelpCommand(newHelpCmd(f))
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range append(root.Commands(), root) {
		if !cmd.Runnable() && cmd.HasSubCommands() {
			asGroup(cmd)
		}
	}
	return root
}

// asGroup makes a command that only holds others refuse to be run: doing
// nothing and exiting 0 would hide a script's mistake.
func asGroup(cmd *cobra.Command) {
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, given []string) error {
		if len(given) == 0 {
			return usagef("", "%s needs a command", cmd.CommandPath())
		}
		cmd.SuggestionsMinimumDistance = 2
		try := ""
		if names := cmd.SuggestionsFor(given[0]); len(names) > 0 {
			try = fmt.Sprintf("%s %s", cmd.CommandPath(), names[0])
		}
		return usagef(try, "%s has no command %q", cmd.CommandPath(), given[0])
	}
}
