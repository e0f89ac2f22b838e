package command

import (
	"context"
	"errors"
	"os"

	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/adjust"
	"github.com/walletctl/walletctl/cmd/internal/hint"
	"github.com/walletctl/walletctl/cmd/internal/version"
)

func newAdjustCmd(f *factory) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "adjust",
		Short: "Correct a balance: one employee asks, another approves",
		Long: `Correct a balance: one employee asks, another approves, and the wallet's own
service posts it, as an entry of its own. Nothing that was posted is ever
changed.

Who you are is the login of GAMING_DATABASE_URL: members of support ask, members
of supervisor ask and approve, never their own.`,
	}
	cmd.AddCommand(
		newAdjustRequestCmd(f), newAdjustListCmd(f), newAdjustShowCmd(f), newAdjustApproveCmd(f),
		newAdjustRejectCmd(f), newAdjustCancelCmd(f), newAdjustReasonsCmd(f), newAdjustLimitsCmd(f),
	)
	asGroup(cmd)
	return cmd
}

// adjustDesk opens the desk of the login; close it.
func (f *factory) adjustDesk(ctx context.Context) (*adjust.Desk, error) {
	s, err := f.settings()
	if err != nil {
		return nil, err
	}
	pool, err := f.open(ctx, s, "GAMING_DATABASE_URL", s.GamingURL, 1)
	if err != nil {
		return nil, err
	}
	host, _ := os.Hostname()
	return &adjust.Desk{Pool: pool, Host: host, Client: "walletctl " + version.Get().Version}, nil
}

// withDesk runs what needs a desk, and tells what can be done about its error.
func (f *factory) withDesk(ctx context.Context, do func(*adjust.Desk) error) error {
	desk, err := f.adjustDesk(ctx)
	if err != nil {
		return err
	}
	defer desk.Pool.Close()
	return adjustHint(do(desk))
}

func adjustHint(err error) error {
	var rule *adjust.RuleError
	var unknown *adjust.UnknownError
	switch {
	case errors.Is(err, adjust.ErrNotFound):
		return hint.With(err, "walletctl adjust list; a wallet is born with its first movement")
	case errors.Is(err, adjust.ErrForbidden):
		return hint.With(err, "set GAMING_DATABASE_URL to your own login: support asks, supervisor asks and approves")
	case errors.Is(err, adjust.ErrBusy):
		return hint.With(err, "wait a moment and look: walletctl adjust list")
	case errors.As(err, &rule) && rule.Ended:
		return hint.With(err, "walletctl adjust show says who did what; a new request can be made")
	case errors.As(err, &rule):
		return hint.With(err, "somebody else has to do it; walletctl adjust limits says who may what")
	case errors.As(err, &unknown):
		return hint.With(err, "walletctl adjust show "+unknown.ID+", before doing it again")
	}
	return err
}
