package command

import "github.com/spf13/cobra"

// newSimulateCmd is hidden: it is for whoever integrates, and nothing that an
// operator needs on call. What it plays with is play money only where the
// service is one for tests.
func newSimulateCmd(f *factory) *cobra.Command {
	cmd := &cobra.Command{
		Use:    "simulate",
		Short:  "Play an outside party against a service that is under test",
		Hidden: true,
	}
	cmd.AddCommand(newSimulateProviderCmd(f))
	return cmd
}
