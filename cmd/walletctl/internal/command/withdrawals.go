package command

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/walletcore/withdrawal"
)

func newWithdrawalsCmd(f *factory) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "withdrawals",
		Short: "List withdrawals, show one with its history",
	}
	cmd.AddCommand(newWithdrawalsListCmd(f), newWithdrawalsShowCmd(f))
	asGroup(cmd)
	return cmd
}

// withdrawals opens casino's withdrawals; the caller closes the pool.
func (f *factory) withdrawals(ctx context.Context) (*withdrawal.Store, *pgxpool.Pool, error) {
	pool, err := f.casino(ctx)
	return &withdrawal.Store{Pool: pool}, pool, err
}
