package command

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/walletcore"
)

const walletUse = "{BRAND USER CURRENCY | WALLET_ID}"

func newWalletCmd(f *factory) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "wallet",
		Short: "Show a wallet and its history, freeze it",
	}
	cmd.AddCommand(newWalletShowCmd(f), newWalletHistoryCmd(f), newFreezeCmd(f, true), newFreezeCmd(f, false))
	asGroup(cmd)
	return cmd
}

// walletArgs is one wallet id, or the three parts of a wallet's key.
func walletArgs(_ *cobra.Command, given []string) error {
	_, err := walletID(given)
	return err
}

func walletID(given []string) (uuid.UUID, error) {
	switch len(given) {
	case 1:
		id, err := uuid.Parse(given[0])
		if err != nil || len(given[0]) != 36 {
			return uuid.Nil, errors.New("a single argument must be a wallet's id, such as 3f0c6a52-8f3e-5b1d-9d57-3a1f6b0c2e11")
		}
		return id, nil
	case 3:
		key := walletcore.WalletKey{Brand: given[0], User: given[1], Currency: given[2]}
		return key.ID(), key.Validate()
	}
	return uuid.Nil, errors.New("name the wallet by its id, or by brand, user and currency")
}

// walletSource is where wallets are read.
type walletSource struct {
	replica bool
}

func (w *walletSource) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&w.replica, "replica", false, "read from DATABASE_REPLICA_URL, which may be behind, instead of GAMING_DATABASE_URL")
}

func (w *walletSource) open(ctx context.Context, f *factory) (*pgxpool.Pool, error) {
	s, err := f.settings()
	if err != nil {
		return nil, err
	}
	if w.replica {
		return f.open(ctx, s, "DATABASE_REPLICA_URL", s.ReplicaURL, 1)
	}
	return f.open(ctx, s, "GAMING_DATABASE_URL", s.GamingURL, 1)
}
