package command

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/adjust"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
)

func newAdjustShowCmd(f *factory) *cobra.Command {
	format := output.NewChoice()
	cmd := &cobra.Command{
		Use:     "show ID",
		Short:   "Show an adjustment, everything that was done about it, and its entry",
		Example: "  walletctl adjust show adj_3f0c6a528f3e4b1d9d573a1f6b0c2e11",
		Args:    args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, given []string) error {
			return f.withDesk(cmd.Context(), func(desk *adjust.Desk) error {
				record, err := readRecord(cmd.Context(), desk, given[0])
				if err != nil {
					return err
				}
				return output.Write(f.streams.Out, format.Format, recordResult(record))
			})
		},
	}
	addOutput(cmd, format)
	return cmd
}

func readRecord(ctx context.Context, desk *adjust.Desk, id string) (*adjust.Record, error) {
	a, err := desk.Find(ctx, id)
	if err != nil {
		return nil, err
	}
	steps, err := desk.Steps(ctx, id)
	return &adjust.Record{Adjustment: a, Steps: steps}, err
}

type recordDocument struct {
	SchemaVersion int           `json:"schema_version"`
	Adjustment    adjust.Record `json:"adjustment"`
}

func recordResult(r *adjust.Record) output.Result {
	steps := whole(r)
	result := one(recordDocument{SchemaVersion: 1, Adjustment: adjust.Record{Adjustment: r.Adjustment, Steps: steps}},
		adjustmentColumns(), adjustmentRow(&r.Adjustment))
	result.Text[0].Title = output.Safe(glance(&r.Adjustment)) + "\n"
	table := output.Table{Columns: stepColumns("")}
	for i := range steps {
		table.Add(stepRow(&steps[i])...)
	}
	result.Text = append(result.Text, output.Section{Table: table})
	return result
}

// glance says in one line where the adjustment and its money are.
func glance(a *adjust.Adjustment) string {
	what := fmt.Sprintf("%s of %s of %s: ", signed(a.Amount(), a.Currency), a.Balance(), a.Wallet())
	switch a.State {
	case adjust.Requested:
		return what + "waits for " + waitsFor(a) + " until " + instant(a.ExpiresAt)
	case adjust.Approved:
		return what + "approved by " + strings.Join(a.Approvers, " and ") + "; gaming posts it"
	case adjust.Posted:
		return what + fmt.Sprintf("posted as entry %d", a.Receipt.Seq)
	case adjust.Rejected:
		return what + "rejected; nothing moved"
	case adjust.Cancelled:
		return what + "taken back by its requester; nothing moved"
	case adjust.Expired:
		return what + "nobody decided in time; nothing moved"
	case adjust.Refused:
		return what + "approved, and gaming could not post it; nothing moved"
	}
	return what + string(a.State)
}

func waitsFor(a *adjust.Adjustment) string {
	switch {
	case len(a.Approvers) > 0:
		return "a second supervisor"
	case a.NeedsTwo:
		return "two supervisors"
	}
	return "a supervisor"
}
