package command

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/adjust"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/walletcore"
)

// inbox is one command line of adjust list.
type inbox struct {
	filter       adjust.Filter
	since, until when
	all          bool
	format       *output.Choice
}

func newAdjustListCmd(f *factory) *cobra.Command {
	l := &inbox{format: output.NewChoice(), since: when{now: f.now}, until: when{now: f.now}}
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List adjustments, those first that wait for an approver",
		Long: `List adjustments: those first that wait for an approver, the oldest of them
first, then the newest.

With --all it is the export for an audit: every adjustment that the flags select,
however many, the oldest first, with every step that somebody took: who, when,
from which host, with which program. In CSV each step is a row of its own.`,
		Example: `  walletctl adjust list --state requested
  walletctl adjust list -o csv --all --since 2026-01-01 --until 2026-04-01 >adjustments-q1.csv`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return l.run(cmd, f) },
	}
	flags := cmd.Flags()
	flags.StringVar((*string)(&l.filter.State), "state", "", "in one state: "+strings.Join(names(adjust.States()), ", "))
	flags.StringVar(&l.filter.Brand, "brand", "", "of one brand")
	flags.BoolVar(&l.filter.Mine, "mine", false, "requested by you")
	flags.Var(&l.since, "since", "requested at or after: "+whenUsage)
	flags.Var(&l.until, "until", "requested before: "+whenUsage)
	flags.IntVar(&l.filter.Limit, "limit", defaultPage, fmt.Sprintf("adjustments to show, at most %d", adjust.MaxList))
	flags.BoolVar(&l.all, "all", false, "the export for an audit: no limit, every step")
	complete(cmd, "state", names(adjust.States())...)
	addOutput(cmd, l.format)
	return cmd
}

func (l *inbox) run(cmd *cobra.Command, f *factory) error {
	l.filter.Since, l.filter.Until = l.since.at, l.until.at
	if l.filter.Limit == 0 {
		l.filter.Limit = -1 // no list at all cannot be meant
	}
	if l.all && cmd.Flags().Changed("limit") {
		return usagef("leave --limit out", "--all has no limit")
	}
	if err := l.filter.Validate(); err != nil {
		return asFlag(err)
	}
	return f.withDesk(cmd.Context(), func(desk *adjust.Desk) error {
		if l.all {
			records, err := desk.Audit(cmd.Context(), l.filter)
			if err != nil {
				return err
			}
			return output.Write(f.streams.Out, l.format.Format, auditResult(records))
		}
		list, err := desk.List(cmd.Context(), l.filter)
		if err != nil {
			return err
		}
		if err := output.Write(f.streams.Out, l.format.Format, inboxResult(list, f.now())); err != nil {
			return err
		}
		if len(list) == l.filter.Limit {
			fmt.Fprintln(f.streams.Err, "there may be more: raise --limit, or narrow it down with --since and --until")
		}
		return nil
	})
}

// asFlag says which flag a field of a request or a filter came from.
func asFlag(err error) error {
	var field *walletcore.FieldError
	if !errors.As(err, &field) {
		return err
	}
	if field.Field == "request" {
		return &usageError{err: errors.New("the request " + field.Reason), try: "walletctl adjust reasons, walletctl wallet history"}
	}
	return &usageError{err: errors.New("--" + strings.ReplaceAll(field.Field, "_", "-") + " " + field.Reason)}
}

type inboxDocument struct {
	SchemaVersion int                 `json:"schema_version"`
	Adjustments   []adjust.Adjustment `json:"adjustments"`
}

func inboxResult(list []adjust.Adjustment, now time.Time) output.Result {
	document := inboxDocument{SchemaVersion: 1, Adjustments: append([]adjust.Adjustment{}, list...)}
	rows := output.Table{Columns: adjustmentColumns()}
	text := output.Table{Columns: output.Columns("id", "state", ">age", "brand", "user", ">amount", "currency", "balance",
		"reason", "ticket", "requested_by", "approved_by")}
	for i := range list {
		a := &list[i]
		rows.Add(adjustmentRow(a)...)
		text.Add(a.ID, stateOf(a), age(now, a.RequestedAt), a.Brand, a.User, a.Amount().String(), a.Currency, a.Balance(),
			a.Reason, clipped(a.Ticket), a.RequestedBy, strings.Join(a.Approvers, " "))
	}
	return output.Result{JSON: document, CSV: rows, Text: []output.Section{{Table: text}}}
}

// stateOf tells what is still missing.
func stateOf(a *adjust.Adjustment) string {
	switch {
	case a.State == adjust.Requested && len(a.Approvers) > 0:
		return "requested, 1 of 2"
	case a.State == adjust.Requested && a.NeedsTwo:
		return "requested, 0 of 2"
	}
	return string(a.State)
}

type auditDocument struct {
	SchemaVersion int             `json:"schema_version"`
	Adjustments   []adjust.Record `json:"adjustments"`
}

// auditResult has a row for each step in CSV and for people.
func auditResult(records []adjust.Record) output.Result {
	document := auditDocument{SchemaVersion: 1, Adjustments: []adjust.Record{}}
	rows := output.Table{Columns: append(adjustmentColumns(), stepColumns("step_")...)}
	text := output.Table{Columns: append(output.Columns("id", "state", ">amount", "currency"), stepColumns("")...)}
	for i := range records {
		r := &records[i]
		steps := whole(r)
		document.Adjustments = append(document.Adjustments, adjust.Record{Adjustment: r.Adjustment, Steps: steps})
		for j := range steps {
			row := stepRow(&steps[j])
			rows.Add(append(adjustmentRow(&r.Adjustment), row...)...)
			text.Add(append([]string{r.ID, string(r.State), r.Amount().String(), r.Currency}, row...)...)
		}
	}
	return output.Result{JSON: document, CSV: rows, Text: []output.Section{{Table: text}}}
}
