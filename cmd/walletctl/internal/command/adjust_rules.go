package command

import (
	"strconv"

	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/adjust"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
)

func newAdjustReasonsCmd(f *factory) *cobra.Command {
	format := output.NewChoice()
	cmd := &cobra.Command{
		Use:   "reasons",
		Short: "List the codes that --reason takes",
		Args:  args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.withDesk(cmd.Context(), func(desk *adjust.Desk) error {
				reasons, err := desk.Reasons(cmd.Context())
				if err != nil {
					return err
				}
				return output.Write(f.streams.Out, format.Format, reasonsResult(reasons))
			})
		},
	}
	addOutput(cmd, format)
	return cmd
}

type reasonsDocument struct {
	SchemaVersion int             `json:"schema_version"`
	Reasons       []adjust.Reason `json:"reasons"`
}

func reasonsResult(reasons []adjust.Reason) output.Result {
	table := output.Table{Columns: output.Columns("code", "meaning", "active")}
	for _, r := range reasons {
		table.Add(r.Code, r.Meaning, strconv.FormatBool(r.Active))
	}
	return output.Result{JSON: reasonsDocument{SchemaVersion: 1, Reasons: append([]adjust.Reason{}, reasons...)}, CSV: table}
}

func newAdjustLimitsCmd(f *factory) *cobra.Command {
	format, history := output.NewChoice(), false
	cmd := &cobra.Command{
		Use:   "limits",
		Short: "Show what who may ask for and approve alone",
		Long: `Show what who may ask for and approve alone. Above it a second approver is
needed. A person's line goes before their role's, a currency's before *.

With --changes: how the limits came to be, so what held at any time.`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.withDesk(cmd.Context(), func(desk *adjust.Desk) error {
				result, err := limitsOf(cmd, desk, history)
				if err != nil {
					return err
				}
				return output.Write(f.streams.Out, format.Format, result)
			})
		},
	}
	cmd.Flags().BoolVar(&history, "changes", false, "every change of the limits, with the login that made it")
	addOutput(cmd, format)
	return cmd
}

func limitsOf(cmd *cobra.Command, desk *adjust.Desk, history bool) (output.Result, error) {
	if history {
		changes, err := desk.LimitChanges(cmd.Context())
		return changesResult(changes), err
	}
	limits, err := desk.Limits(cmd.Context())
	return limitsResult(limits), err
}

type limitsDocument struct {
	SchemaVersion int            `json:"schema_version"`
	Limits        []adjust.Limit `json:"limits"`
}

func limitColumns() []output.Column {
	return output.Columns("grantee", "act", "currency", ">per_adjustment", ">per_day", "may_debt")
}

func limitRow(l *adjust.Limit) []string {
	return []string{l.Grantee, l.Act, l.Currency, l.PerAdjustment.String(), l.PerDay.String(), strconv.FormatBool(l.MayDebt)}
}

func limitsResult(limits []adjust.Limit) output.Result {
	table := output.Table{Columns: limitColumns()}
	for i := range limits {
		table.Add(limitRow(&limits[i])...)
	}
	return output.Result{JSON: limitsDocument{SchemaVersion: 1, Limits: append([]adjust.Limit{}, limits...)}, CSV: table}
}

type changesDocument struct {
	SchemaVersion int                  `json:"schema_version"`
	Changes       []adjust.LimitChange `json:"changes"`
}

func changesResult(changes []adjust.LimitChange) output.Result {
	table := output.Table{Columns: append(output.Columns("at", "actor", "change"), limitColumns()...)}
	for i := range changes {
		c := &changes[i]
		table.Add(append([]string{instant(c.At), c.Actor, c.Change}, limitRow(&c.Limit)...)...)
	}
	return output.Result{JSON: changesDocument{SchemaVersion: 1, Changes: append([]adjust.LimitChange{}, changes...)}, CSV: table}
}
