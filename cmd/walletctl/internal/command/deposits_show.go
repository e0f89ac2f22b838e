package command

import (
	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/walletcore/deposit"
)

func newDepositsShowCmd(f *factory) *cobra.Command {
	format := output.NewChoice()
	cmd := &cobra.Command{
		Use:     "show ID",
		Short:   "Show a deposit, its receipt and its history",
		Example: "  walletctl deposits show dep_019ad3c7b1f27c3e9d5a41f0c2b8e6d4",
		Args:    args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, given []string) error {
			store, pool, err := f.deposits(cmd.Context())
			if err != nil {
				return err
			}
			defer pool.Close()
			d, err := store.Find(cmd.Context(), given[0])
			if err != nil {
				return err
			}
			events, err := store.Events(cmd.Context(), d.ID)
			if err != nil {
				return err
			}
			return output.Write(f.streams.Out, format.Format, depositResult(&d, events))
		},
	}
	addOutput(cmd, format)
	return cmd
}

type depositDocument struct {
	SchemaVersion int         `json:"schema_version"`
	Deposit       depositItem `json:"deposit"`
	Events        []eventItem `json:"events"`
}

// depositResult shows the deposit in every format, its history in those that
// have room for it: CSV holds the one row.
func depositResult(d *deposit.Deposit, events []deposit.Event) output.Result {
	document := depositDocument{SchemaVersion: 1, Deposit: depositOf(d), Events: make([]eventItem, len(events))}
	for i, e := range events {
		document.Events[i] = eventItem{
			At: e.At, Kind: string(e.Kind), From: string(e.From), To: string(e.To), Attempt: e.Attempt,
			ErrorClass: e.ErrorClass, Detail: e.Detail, MessageID: e.MessageID,
		}
	}
	result := one(document, depositColumns(), depositRow(d))
	result.Text = append(result.Text, historyOf(document.Events))
	return result
}
