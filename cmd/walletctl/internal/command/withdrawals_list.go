package command

import (
	"strconv"

	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/walletcore/withdrawal"
)

func newWithdrawalsListCmd(f *factory) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List withdrawals, the newest first",
		Example: "  walletctl withdrawals list --brand acme --status debited --until 48h",
		Args:    args(cobra.NoArgs),
	}
	flags := newPageFlags(f, cmd, "withdrawals", withdrawal.Status("").Known())
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return listWithdrawals(cmd, f, flags) }
	return cmd
}

func listWithdrawals(cmd *cobra.Command, f *factory, flags *pageFlags) error {
	filter, err := pageOf[withdrawal.Status](flags)
	if err != nil {
		return err
	}
	store, pool, err := f.withdrawals(cmd.Context())
	if err != nil {
		return err
	}
	defer pool.Close()
	page, err := store.List(cmd.Context(), filter)
	if err != nil {
		return err
	}
	next := flags.next(len(page), func() string { return page[len(page)-1].ID })
	return flags.write(f, withdrawalsResult(page, next), next)
}

type withdrawalsDocument struct {
	SchemaVersion int              `json:"schema_version"`
	Withdrawals   []withdrawalItem `json:"withdrawals"`
	// NextAfter is the --after of the next page; null on the last.
	NextAfter *string `json:"next_after"`
}

func withdrawalsResult(page []withdrawal.Withdrawal, next *string) output.Result {
	document := withdrawalsDocument{SchemaVersion: 1, Withdrawals: []withdrawalItem{}, NextAfter: next}
	text := output.Table{Columns: output.Columns(
		"id", "status", "brand", "user", ">amount", "currency", "gateway", "created_at", "reason", ">attempts", "last_error")}
	rows := output.Table{Columns: withdrawalColumns()}
	for i := range page {
		w := &page[i]
		document.Withdrawals = append(document.Withdrawals, withdrawalOf(w))
		rows.Add(withdrawalRow(w)...)
		text.Add(w.ID, string(w.Status), w.Brand, w.User, w.Amount.String(), w.Currency, w.Gateway,
			instant(w.CreatedAt), clipped(w.Reason), strconv.Itoa(w.Attempts), clipped(w.LastError))
	}
	return output.Result{JSON: document, CSV: rows, Text: []output.Section{{Table: text}}}
}
