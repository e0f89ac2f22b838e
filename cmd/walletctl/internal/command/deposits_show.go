package command

import (
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/walletcore/deposit"
	"github.com/walletctl/walletctl/walletcore/job"
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

type eventItem struct {
	At         time.Time         `json:"at"`
	Kind       deposit.EventKind `json:"kind"`
	From       deposit.Status    `json:"from,omitempty"`
	To         deposit.Status    `json:"to,omitempty"`
	Attempt    int               `json:"attempt,omitempty"`
	ErrorClass job.ErrorClass    `json:"error_class,omitempty"`
	Detail     string            `json:"detail,omitempty"`
	MessageID  string            `json:"message_id,omitempty"`
}

// depositResult shows the deposit in every format, its history in those that
// have room for it: CSV holds the one row.
func depositResult(d *deposit.Deposit, events []deposit.Event) output.Result {
	document := depositDocument{SchemaVersion: 1, Deposit: depositOf(d), Events: []eventItem{}}
	history := output.Table{Columns: output.Columns("at", "event", "from", "to", ">attempt", "detail", "message_id")}
	for i := range events {
		e := &events[i]
		document.Events = append(document.Events, eventItem{
			At: e.At, Kind: e.Kind, From: e.From, To: e.To, Attempt: e.Attempt,
			ErrorClass: e.ErrorClass, Detail: e.Detail, MessageID: e.MessageID,
		})
		history.Add(instant(e.At), string(e.Kind), string(e.From), string(e.To), count(e.Attempt), eventDetail(e), e.MessageID)
	}
	result := one(document, depositColumns(), depositRow(d))
	result.Text = append(result.Text, output.Section{Table: history})
	return result
}

func eventDetail(e *deposit.Event) string {
	if e.ErrorClass == "" {
		return e.Detail
	}
	return string(e.ErrorClass) + ": " + e.Detail
}

// count leaves zero out.
func count(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
