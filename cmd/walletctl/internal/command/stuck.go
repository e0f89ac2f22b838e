package command

import "github.com/spf13/cobra"

func newStuckCmd(f *factory) *cobra.Command {
	return &cobra.Command{
		Use:   "stuck",
		Short: "Look at what ran out of retries, on a screen, and send it again",
		Args:  args(cobra.NoArgs),
		RunE:  func(cmd *cobra.Command, _ []string) error { return runStuckScreen(cmd, f) },
	}
}
