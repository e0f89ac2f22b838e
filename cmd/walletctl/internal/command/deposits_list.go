package command

import (
	"strconv"

	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/walletcore/deposit"
)

func newDepositsListCmd(f *factory) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List deposits, the newest first",
		Example: "  walletctl deposits list --brand acme --status confirmed --since 24h",
		Args:    args(cobra.NoArgs),
	}
	flags := newPageFlags(f, cmd, "deposits", deposit.Status("").Known())
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return listDeposits(cmd, f, flags) }
	return cmd
}

func listDeposits(cmd *cobra.Command, f *factory, flags *pageFlags) error {
	filter, err := pageOf[deposit.Status](flags)
	if err != nil {
		return err
	}
	store, pool, err := f.deposits(cmd.Context())
	if err != nil {
		return err
	}
	defer pool.Close()
	page, err := store.List(cmd.Context(), filter)
	if err != nil {
		return err
	}
	next := flags.next(len(page), func() string { return page[len(page)-1].ID })
	return flags.write(f, depositsResult(page, next), next)
}

type depositsDocument struct {
	SchemaVersion int           `json:"schema_version"`
	Deposits      []depositItem `json:"deposits"`
	// NextAfter is the --after of the next page; null on the last.
	NextAfter *string `json:"next_after"`
}

func depositsResult(page []deposit.Deposit, next *string) output.Result {
	document := depositsDocument{SchemaVersion: 1, Deposits: []depositItem{}, NextAfter: next}
	text := output.Table{Columns: output.Columns(
		"id", "status", "brand", "user", ">amount", "currency", "gateway", "created_at", ">attempts", "last_error")}
	rows := output.Table{Columns: depositColumns()}
	for i := range page {
		d := &page[i]
		document.Deposits = append(document.Deposits, depositOf(d))
		rows.Add(depositRow(d)...)
		text.Add(d.ID, string(d.Status), d.Brand, d.User, d.Amount.String(), d.Currency, d.Gateway,
			instant(d.CreatedAt), strconv.Itoa(d.Attempts), clipped(d.LastError))
	}
	return output.Result{JSON: document, CSV: rows, Text: []output.Section{{Table: text}}}
}
