package command

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/cmd/internal/config"
	"github.com/walletctl/walletctl/cmd/internal/hint"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/demo"
)

func newDemoCmd(f *factory) *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Play a scripted day of deposits, bets, withdrawals and faults through the real services, then check every chain",
		Long: `Play a scripted day of deposits, bets, withdrawals and faults through the real
services, then check every chain.

It starts casino and gaming, two of each, from the folder that holds walletctl,
on servers that may be thrown away: "make demo" starts those, and removes them
afterwards. It exits 0 only when every deposit was credited exactly once, every
withdrawal debited once and paid once or given back once, every wallet holds what
that comes to, and the chain check on the replica found nothing.`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			options, err := config.Load[demo.Options](config.Options{Environ: f.environ})
			if err != nil {
				return hint.With(err, "make demo, which starts the servers and sets their URLs")
			}
			self, err := os.Executable()
			if err != nil {
				return err
			}
			options.Binaries, options.Out = filepath.Dir(self), f.streams.Out
			return demo.Run(cmd.Context(), options)
		},
	}
}
