package command

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/replay"
)

const defaultCases = 200

// caseListFlags are one command line of cases list.
type caseListFlags struct {
	replay.CaseFilter
	since, until when
	format       *output.Choice
}

func newCasesListCmd(f *factory) *cobra.Command {
	c := &caseListFlags{since: when{now: f.now}, until: when{now: f.now}, format: output.NewChoice()}
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the open cases of casino and gaming, the oldest first",
		Example: "  walletctl cases list --owner - --brand acme",
		Args:    args(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return c.run(cmd, f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&c.Brand, "brand", "", "of one brand")
	flags.StringVar(&c.Kind, "kind", "", "of one kind, such as credit_exhausted")
	flags.StringVar(&c.Owner, "owner", "", "with one login; - are those of nobody")
	flags.StringVar(&c.Subject, "subject", "", "about one deposit, withdrawal, movement, ...")
	flags.Var(&c.since, "since", "opened at or after: "+whenUsage)
	flags.Var(&c.until, "until", "opened before: "+whenUsage)
	flags.BoolVar(&c.Closed, "closed", false, "those that are closed, the newest first")
	flags.IntVar(&c.Limit, "limit", defaultCases, fmt.Sprintf("how many at the most, up to %d", replay.MaxCases))
	complete(cmd, "kind", caseKinds()...)
	addOutput(cmd, c.format)
	return cmd
}

func (c *caseListFlags) run(cmd *cobra.Command, f *factory) error {
	filter := c.CaseFilter
	filter.Since, filter.Until = c.since.at, c.until.at
	if filter.Limit == 0 {
		filter.Limit = -1 // none at all cannot be meant
	}
	if err := filter.Validate(); err != nil {
		return &usageError{err: fmt.Errorf("--%w", err)}
	}
	desk, err := f.desk(cmd.Context())
	if err != nil {
		return err
	}
	defer desk.close()
	cases, err := desk.Cases(cmd.Context(), filter)
	if err != nil {
		return err
	}
	if err := output.Write(f.streams.Out, c.format.Format, casesResult(cases, f.now())); err != nil {
		return err
	}
	if len(cases) == filter.Limit {
		fmt.Fprintf(f.streams.Err, "there may be more: raise --limit=%d\n", filter.Limit)
	}
	return desk.half()
}

type casesDocument struct {
	SchemaVersion int           `json:"schema_version"`
	Cases         []replay.Case `json:"cases"`
}

func casesResult(cases []replay.Case, now time.Time) output.Result {
	document := casesDocument{SchemaVersion: 1, Cases: []replay.Case{}}
	rows := output.Table{Columns: caseColumns()}
	text := output.Table{Columns: output.Columns("case", ">age", "kind", "brand", "subject", "owner", "resolution")}
	for i := range cases {
		c := &cases[i]
		document.Cases = append(document.Cases, *c)
		rows.Add(caseRow(c)...)
		until := now
		if c.ClosedAt != nil {
			until = *c.ClosedAt
		}
		text.Add(c.Ref.String(), age(until, c.OpenedAt), c.Kind, c.Brand, c.Subject.Type+" "+c.Subject.ID, c.Owner, clipped(c.Resolution))
	}
	return output.Result{JSON: document, CSV: rows, Text: []output.Section{{Table: text}}}
}

func caseColumns() []output.Column {
	return output.Columns("case", "brand", "subject_type", "subject_id", "kind", "cause", "detail", "opened_at", "owner",
		"claimed_at", "closed_at", "resolution", "resolved_by")
}

// caseRow has a cell for each of caseColumns.
func caseRow(c *replay.Case) []string {
	return []string{
		c.Ref.String(), c.Brand, c.Subject.Type, c.Subject.ID, c.Kind, c.Cause, string(c.Detail), instant(c.OpenedAt), c.Owner,
		instantOrNone(c.ClaimedAt), instantOrNone(c.ClosedAt), c.Resolution, c.ResolvedBy,
	}
}
