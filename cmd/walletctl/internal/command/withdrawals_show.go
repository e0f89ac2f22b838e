package command

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/withdrawal"
)

func newWithdrawalsShowCmd(f *factory) *cobra.Command {
	format := output.NewChoice()
	cmd := &cobra.Command{
		Use:     "show ID",
		Short:   "Show a withdrawal, its receipts, its payout and its history",
		Example: "  walletctl withdrawals show wd_019ad3c7b1f27c3e9d5a41f0c2b8e6d4",
		Args:    args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, given []string) error {
			store, pool, err := f.withdrawals(cmd.Context())
			if err != nil {
				return err
			}
			defer pool.Close()
			whole, err := readWithdrawal(cmd.Context(), store, given[0])
			if err != nil {
				return err
			}
			return output.Write(f.streams.Out, format.Format, whole.result())
		},
	}
	addOutput(cmd, format)
	return cmd
}

// wholeWithdrawal is all that casino knows of one.
type wholeWithdrawal struct {
	withdrawal.Withdrawal
	paidBy string
	events []withdrawal.Event
}

func readWithdrawal(ctx context.Context, store *withdrawal.Store, id string) (*wholeWithdrawal, error) {
	w, err := store.Find(ctx, id)
	if err != nil {
		return nil, err
	}
	whole := &wholeWithdrawal{Withdrawal: w}
	if whole.paidBy, err = store.PaidBy(ctx, id); err != nil {
		return nil, err
	}
	whole.events, err = store.Events(ctx, id)
	return whole, err
}

type withdrawalDocument struct {
	SchemaVersion int            `json:"schema_version"`
	Withdrawal    withdrawalItem `json:"withdrawal"`
	// PayoutID is the gateway's id of the payout that paid it; null where none
	// did.
	PayoutID *string     `json:"payout_id"`
	Events   []eventItem `json:"events"`
}

// result shows the withdrawal in every format, its history in those that have
// room for it: CSV holds the one row.
func (w *wholeWithdrawal) result() output.Result {
	document := withdrawalDocument{SchemaVersion: 1, Withdrawal: withdrawalOf(&w.Withdrawal), Events: make([]eventItem, len(w.events))}
	if w.paidBy != "" {
		document.PayoutID = &w.paidBy
	}
	for i, e := range w.events {
		document.Events[i] = eventItem{
			At: e.At, Kind: string(e.Kind), From: string(e.From), To: string(e.To), Attempt: e.Attempt,
			ErrorClass: e.ErrorClass, Detail: e.Detail, MessageID: e.MessageID,
		}
	}
	result := one(document, append(factColumns(), output.Columns("payout_id")...), append(factRow(&w.Withdrawal), w.paidBy))
	result.CSV = output.Table{
		Columns: append(withdrawalColumns(), output.Columns("payout_id")...),
		Rows:    [][]string{append(withdrawalRow(&w.Withdrawal), w.paidBy)},
	}
	result.Text[0].Title = output.Safe(w.glance()) + "\n"
	if receipts := w.receipts(); len(receipts.Rows) > 0 {
		result.Text = append(result.Text, output.Section{Table: receipts})
	}
	result.Text = append(result.Text, historyOf(document.Events))
	return result
}

// receipts are the entries that the withdrawal has in the ledger, for people.
func (w *wholeWithdrawal) receipts() output.Table {
	table := output.Table{Columns: append(output.Columns("entry"), receiptColumns("")...)}
	for _, entry := range []struct {
		name    string
		receipt *walletcore.Receipt
	}{{"debit", w.Receipt}, {"reversal", w.Reversal}} {
		if entry.receipt != nil {
			table.Add(append([]string{entry.name}, receiptCells(entry.receipt)...)...)
		}
	}
	return table
}
