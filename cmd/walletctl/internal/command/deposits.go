package command

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/walletcore/deposit"
)

func newDepositsCmd(f *factory) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "deposits",
		Short: "List deposits, show one with its history",
	}
	cmd.AddCommand(newDepositsListCmd(f), newDepositsShowCmd(f))
	asGroup(cmd)
	return cmd
}

// deposits opens casino's deposits; the caller closes the pool.
func (f *factory) deposits(ctx context.Context) (*deposit.Store, *pgxpool.Pool, error) {
	pool, err := f.casino(ctx)
	return &deposit.Store{Pool: pool}, pool, err
}
