package command

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/cmd/internal/hint"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/replay"
	"github.com/walletctl/walletctl/walletcore/ledger"
)

func newExplainCmd(f *factory) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "explain",
		Short: "Tell everything that is known about a deposit, a withdrawal, a wallet or a movement",
		Long: `Tell everything that is known about a deposit, a withdrawal, a wallet or a movement,
in one time line over both schemas, for a ticket: without secrets, and without
personal data but the user's id. What could not be read is said.`,
	}
	cmd.AddCommand(newExplainPaymentCmd(f, replay.Deposit, "dep_"), newExplainPaymentCmd(f, replay.Withdrawal, "wd_"),
		newExplainWalletCmd(f), newExplainMovementCmd(f))
	asGroup(cmd)
	return cmd
}

func newExplainPaymentCmd(f *factory, kind, prefix string) *cobra.Command {
	format := output.NewChoice()
	cmd := &cobra.Command{
		Use:     kind + " ID",
		Short:   "Tell of a " + kind + ", from the gateway's messages to gaming's entries",
		Example: "  walletctl explain " + kind + " " + prefix + "019ad3c7b1f27c3e9d5a41f0c2b8e6d4 -o json",
		Args:    args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, given []string) error {
			desk, err := f.desk(cmd.Context())
			if err != nil {
				return err
			}
			defer desk.close()
			story, err := desk.Explain(cmd.Context(), replay.Subject{Type: kind, ID: given[0]})
			if errors.Is(err, replay.ErrNotFound) {
				err = hint.With(err, "walletctl "+kind+"s list")
			}
			return writeStory(f, format, &story, err, desk.half())
		},
	}
	addOutput(cmd, format)
	return cmd
}

func newExplainWalletCmd(f *factory) *cobra.Command {
	format, entries := output.NewChoice(), 0
	cmd := &cobra.Command{
		Use:     "wallet " + walletUse,
		Short:   "Tell how a wallet stands, of its freezes, cases and last entries",
		Example: "  walletctl explain wallet acme player-17 EUR",
		Args: args(func(cmd *cobra.Command, given []string) error {
			if entries < 1 || entries > ledger.MaxPage {
				return fmt.Errorf("--entries must be between 1 and %d", ledger.MaxPage)
			}
			return walletArgs(cmd, given)
		}),
		RunE: func(cmd *cobra.Command, given []string) error {
			id, _ := walletID(given) // checked
			return explainLedger(cmd.Context(), f, format, func(ctx context.Context, d *replay.Desk) (replay.Story, error) {
				story, err := d.ExplainWallet(ctx, id, entries)
				if errors.Is(err, replay.ErrNotFound) {
					err = ledger.ErrNoWallet
				}
				return story, err
			})
		},
	}
	cmd.Flags().IntVar(&entries, "entries", replay.DefaultEntries, "how many of its last entries")
	addOutput(cmd, format)
	return cmd
}

func newExplainMovementCmd(f *factory) *cobra.Command {
	format := output.NewChoice()
	cmd := &cobra.Command{
		Use:   "movement EXTERNAL_ID [BRAND USER CURRENCY | WALLET_ID]",
		Short: "Tell of the entries under an external id, in every wallet that has a receipt of it",
		Long: `Tell of the entries under an external id, such as games:tx-1: in every wallet that
has a receipt of it, and in the wallet that is named. Only deposits, withdrawals
and the movements of providers whose ids are global have receipts; any other is
found in its wallet alone.`,
		Example: "  walletctl explain movement games:tx-1 acme player-17 EUR",
		Args: args(func(cmd *cobra.Command, given []string) error {
			if len(given) == 1 {
				return nil
			}
			if len(given) == 0 {
				return errors.New("name the movement by its external id")
			}
			return walletArgs(cmd, given[1:])
		}),
		RunE: func(cmd *cobra.Command, given []string) error {
			var wallets []uuid.UUID
			if len(given) > 1 {
				id, _ := walletID(given[1:]) // checked
				wallets = append(wallets, id)
			}
			return explainLedger(cmd.Context(), f, format, func(ctx context.Context, d *replay.Desk) (replay.Story, error) {
				story, err := d.ExplainMovement(ctx, given[0], wallets...)
				if errors.Is(err, replay.ErrNotFound) {
					err = noMovement(given)
				}
				return story, err
			})
		},
	}
	addOutput(cmd, format)
	return cmd
}

// noMovement says where was looked, and where else it may be.
func noMovement(given []string) error {
	if len(given) > 1 {
		return hint.With(fmt.Errorf("there is no movement %q in this wallet, and no receipt of it", given[0]),
			"walletctl wallet history "+strings.Join(given[1:], " "))
	}
	return hint.With(fmt.Errorf("there is no receipt of a movement %q; one without a receipt is found by its wallet alone", given[0]),
		"walletctl explain movement "+word(given[0])+" BRAND USER CURRENCY")
}

// explainLedger tells what gaming alone knows.
func explainLedger(
	ctx context.Context, f *factory, format *output.Choice, tell func(context.Context, *replay.Desk) (replay.Story, error),
) error {
	desk, err := f.gamingDesk(ctx)
	if err != nil {
		return err
	}
	defer desk.close()
	story, err := tell(ctx, &desk.Desk)
	return writeStory(f, format, &story, err, nil)
}
