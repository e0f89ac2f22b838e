package command

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/cmd/internal/exit"
	"github.com/walletctl/walletctl/cmd/internal/hint"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/walletcore/provider/simulator"
)

const simulateProviderLong = `Play a game provider against a gaming service under test, and check every answer:
bets, wins, refunds and rollbacks, sent twice, many times at once, too early,
over connections that break, with other amounts, odd ids and wrong signatures.
Never point it at wallets that hold real money: it bets, and it pays in.

--brand, --provider, --dialect, the secret, --currency, --unit, --code and the
policies must say what the service's profile of this provider says. What is left
out is the dialect's default.

Each of --players plays --rounds, all drawn from --seed. Their ids are made of
the seed and --run; without --run every run has new ones. With --user existing
players are played, who must not be in debt and whom nobody else may play with
meanwhile. A player who has too little for a round wins --fund without a bet
first, where the policy lets such a win in; otherwise, or with --no-fund, the
round is skipped.

A call without an answer, or with 500 or above, is sent again after 1 s, 5 s,
30 s, 2 min, 10 min, 30 min, 1 h, 2 h and 4 h, on a clock that --speed makes run
faster. A call that is still not answered then is a finding.

Exit code: 0 nothing found, 1 findings or no service to play against, 2 the
command line is wrong, 130 interrupted; the report so far is written then too.`

func newSimulateProviderCmd(f *factory) *cobra.Command {
	c := &simulateFlags{format: output.NewChoice()}
	cmd := &cobra.Command{
		Use:   "provider",
		Short: "Send what a game provider sends, faults included, and check every answer",
		Long:  simulateProviderLong,
		Example: `  GAMES_SECRET=... walletctl simulate provider --url http://localhost:8080 \
    --brand acme --provider games --dialect process --secret-env GAMES_SECRET
  walletctl simulate provider --url http://localhost:8080 --brand acme --provider games \
    --dialect subunits --secret-file /run/secrets/games --late-bet accepted --mix race=20,burst=20 -o json`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return c.run(cmd.Context(), f) },
	}
	c.add(cmd)
	return cmd
}

// run writes a report wherever something was played, also when it was stopped.
func (c *simulateFlags) run(ctx context.Context, f *factory) error {
	options, err := c.parse(f)
	if err != nil {
		return err
	}
	bar := &simulateProgress{streams: f.streams}
	options.Progress = bar.show()
	report, err := simulator.Run(ctx, options)
	bar.clear()
	var start *simulator.StartError
	if errors.As(err, &start) {
		return hint.With(err, tryStart(start))
	}
	if written := output.Write(f.streams.Out, c.format.Format, simulateResult(&report)); written != nil {
		return errors.Join(written, err)
	}
	if err == nil && report.FindingsCount > 0 {
		err = &statusError{code: exit.Failed, err: hint.With(
			fmt.Errorf("%d answers break the contract", report.FindingsCount),
			fmt.Sprintf("correct the first finding, and repeat with --seed %d", report.Seed))}
	}
	return err
}

// tryStart reads why nothing could be played.
func tryStart(err *simulator.StartError) string {
	switch {
	case err.Status == 0:
		return "see that the service runs, and correct --url"
	case err.Status == http.StatusNotFound:
		return "correct --brand and --provider, or add the profile to providers.yaml"
	case err.Status == http.StatusUnauthorized || err.Status == http.StatusForbidden || err.Code == "403":
		return "give the secret that the service has in this provider's profile"
	}
	return "compare --dialect, --currency and --unit with the service's profile of this provider"
}

// optionError names the flag.
func optionError(err error) error {
	var wrong *simulator.OptionError
	if !errors.As(err, &wrong) {
		return err
	}
	if wrong.Field == "secret" {
		return usagef("give the secret by --secret-env NAME or --secret-file FILE", "the secret %s",
			strings.Replace(wrong.Reason, "hold one that is", "is", 1))
	}
	return &usageError{err: fmt.Errorf("--%w", wrong)}
}
