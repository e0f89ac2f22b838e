package command

import "github.com/spf13/cobra"

func newBackfillCmd(f *factory) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "backfill",
		Short: "Bring in what was before this ledger, once, and open brands",
		Long: `Bring in what was before this ledger, once, and open brands.

The login of GAMING_DATABASE_URL is a member of backfill. It connects past any
pooler: a run holds a lock of its session.`,
	}
	cmd.AddCommand(
		newBackfillOpenCmd(f), newBackfillPlanCmd(f), newBackfillRunCmd(f), newBackfillStatusCmd(f), newBackfillVerifyCmd(f),
		newBackfillUnkeyedCmd(f),
	)
	asGroup(cmd)
	return cmd
}
