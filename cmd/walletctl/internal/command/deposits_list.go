package command

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/walletcore/deposit"
)

const defaultDeposits = 50

func newDepositsListCmd(f *factory) *cobra.Command {
	format := output.NewChoice()
	since, until := when{now: f.now}, when{now: f.now}
	var filter deposit.Filter
	var status string
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List deposits, the newest first",
		Example: "  walletctl deposits list --brand acme --status confirmed --since 24h",
		Args:    args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			filter.Since, filter.Until, filter.Status = since.at, until.at, deposit.Status(status)
			if filter.Limit == 0 {
				filter.Limit = -1 // no page at all cannot be meant
			}
			if err := filter.Validate(); err != nil {
				return &usageError{err: fmt.Errorf("--%w", err)}
			}
			return listDeposits(cmd, f, format, filter)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&filter.Brand, "brand", "", "deposits of one brand")
	flags.StringVar(&filter.User, "user", "", "deposits of one user (with --brand)")
	flags.StringVar(&status, "status", "", "deposits in one status")
	flags.StringVar(&filter.Gateway, "gateway", "", "deposits through one gateway")
	flags.Var(&since, "since", "created at or after: "+whenUsage)
	flags.Var(&until, "until", "created before: "+whenUsage)
	flags.IntVar(&filter.Limit, "limit", defaultDeposits, fmt.Sprintf("deposits to show, at most %d", deposit.MaxPage))
	flags.StringVar(&filter.After, "after", "", "show deposits older than this id: the next page")
	complete(cmd, "status", statuses()...)
	addOutput(cmd, format)
	return cmd
}

func listDeposits(cmd *cobra.Command, f *factory, format *output.Choice, filter deposit.Filter) error {
	store, pool, err := f.deposits(cmd.Context())
	if err != nil {
		return err
	}
	defer pool.Close()
	page, err := store.List(cmd.Context(), filter)
	if err != nil {
		return err
	}
	if err := output.Write(f.streams.Out, format.Format, depositsResult(page, filter.Limit)); err != nil {
		return err
	}
	if len(page) == filter.Limit && format.Format == output.FormatTable {
		fmt.Fprintf(f.streams.Err, "older deposits: add --after=%s\n", output.Safe(page[len(page)-1].ID))
	}
	return nil
}

type depositsDocument struct {
	SchemaVersion int           `json:"schema_version"`
	Deposits      []depositItem `json:"deposits"`
	// NextAfter is the --after of the next page; null on the last.
	NextAfter *string `json:"next_after"`
}

func depositsResult(page []deposit.Deposit, limit int) output.Result {
	document := depositsDocument{SchemaVersion: 1, Deposits: []depositItem{}}
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
	if len(page) > 0 && len(page) == limit {
		document.NextAfter = &page[len(page)-1].ID
	}
	return output.Result{JSON: document, CSV: rows, Text: []output.Section{{Table: text}}}
}

// clipped keeps a long text from making a table unreadable; "show" has all of
// it.
func clipped(text string) string {
	const most = 60
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}
