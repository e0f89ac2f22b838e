package command

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/cmd/internal/hint"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
)

// freezing is one command line of wallet freeze or unfreeze.
type freezing struct {
	frozen bool
	brand  string
	reason string
}

func newFreezeCmd(f *factory, frozen bool) *cobra.Command {
	z := &freezing{frozen: frozen}
	name, short := "freeze", "Refuse bets and withdrawals of a wallet or a brand; wins and refunds still come in"
	if !frozen {
		name, short = "unfreeze", "Let a wallet or a brand bet and withdraw again"
	}
	cmd := &cobra.Command{
		Use:   name + " {BRAND USER CURRENCY | WALLET_ID | --brand BRAND}",
		Short: short,
		Long: short + `.

The database records the login of GAMING_DATABASE_URL, a member of oncall or
supervisor, and the reason.`,
		Example: "  walletctl wallet " + name + " acme player-17 EUR --reason 'chargeback of dep_0193, ticket 4711'",
		Args:    args(z.check),
		RunE: func(cmd *cobra.Command, given []string) error {
			if err := z.run(cmd.Context(), f, given); err != nil {
				return err
			}
			fmt.Fprintln(f.streams.Out, z.done(given))
			return nil
		},
	}
	cmd.Flags().StringVar(&z.brand, "brand", "", "every wallet of one brand")
	cmd.Flags().StringVar(&z.reason, "reason", "", "why; kept with your login")
	return cmd
}

func (z *freezing) check(cmd *cobra.Command, given []string) error {
	if strings.TrimSpace(z.reason) == "" {
		return errors.New("--reason must say why")
	}
	if z.brand == "" {
		return walletArgs(cmd, given)
	}
	if len(given) > 0 {
		return errors.New("name a wallet or --brand, not both")
	}
	return walletcore.CheckID("brand", z.brand, walletcore.MaxName)
}

func (z *freezing) run(ctx context.Context, f *factory, given []string) error {
	pool, err := (&walletSource{}).open(ctx, f)
	if err != nil {
		return err
	}
	defer pool.Close()
	freezer := ledger.NewFreezer(pool)
	if z.brand != "" {
		err = freezer.Brand(ctx, z.brand, z.frozen, z.reason)
	} else {
		id, _ := walletID(given) // checked
		err = freezer.Wallet(ctx, id, z.frozen, z.reason)
	}
	if errors.Is(err, ledger.ErrForbidden) {
		return hint.With(err, "set GAMING_DATABASE_URL to your own login, which must be a member of oncall or supervisor")
	}
	return err
}

func (z *freezing) done(given []string) string {
	verb, what := "unfrozen", "wallet "+strings.Join(given, "/")
	if z.frozen {
		verb = "frozen"
	}
	if z.brand != "" {
		what = "brand " + z.brand
	}
	return what + " is " + verb
}
