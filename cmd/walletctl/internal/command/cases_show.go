package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/cmd/internal/exit"
	"github.com/walletctl/walletctl/cmd/internal/hint"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/replay"
)

func newCasesShowCmd(f *factory) *cobra.Command {
	format := output.NewChoice()
	cmd := &cobra.Command{
		Use:     "show CASE...",
		Short:   "Show cases with their history, and what to type next",
		Example: "  walletctl cases show casino-17",
		Args:    args(caseArgs),
		RunE: func(cmd *cobra.Command, given []string) error {
			return showCases(cmd.Context(), f, format, given)
		},
	}
	addOutput(cmd, format)
	return cmd
}

func showCases(ctx context.Context, f *factory, format *output.Choice, given []string) error {
	desk, err := f.desk(ctx)
	if err != nil {
		return err
	}
	defer desk.close()
	refs, _ := refsOf(given) // checked
	var shown []shownCase
	var failed []error
	for _, ref := range refs {
		c, err := readCase(ctx, desk, ref)
		if err != nil {
			failed = append(failed, fmt.Errorf("case %s: %w", ref, caseNotFound(err)))
			continue
		}
		shown = append(shown, c)
	}
	if len(shown) > 0 {
		if err := output.Write(f.streams.Out, format.Format, shownResult(shown)); err != nil {
			return err
		}
	}
	if len(failed) > 0 && len(shown) > 0 {
		return &statusError{code: exit.Partly, err: errors.Join(failed...)}
	}
	return tryOncall(errors.Join(failed...))
}

func caseNotFound(err error) error {
	if errors.Is(err, replay.ErrNotFound) {
		return hint.With(err, "walletctl cases list")
	}
	return err
}

// shownCase is a case with its history and what to do next.
type shownCase struct {
	replay.Case
	Events []replay.CaseEvent `json:"events"`
	Advice string             `json:"advice"`
	Next   []string           `json:"next"` // commands
}

func readCase(ctx context.Context, desk *oncallDesk, ref replay.Ref) (shownCase, error) {
	c, err := desk.Case(ctx, ref)
	if err != nil {
		return shownCase{}, err
	}
	shown := shownCase{Case: c, Next: []string{}}
	if shown.Events, err = desk.CaseEvents(ctx, ref); err != nil {
		return shownCase{}, err
	}
	advice, commands := next(&c)
	shown.Advice, shown.Next = advice, append(shown.Next, commands...)
	return shown, nil
}

type shownDocument struct {
	SchemaVersion int         `json:"schema_version"`
	Cases         []shownCase `json:"cases"`
}

func shownResult(cases []shownCase) output.Result {
	result := output.Result{
		JSON: shownDocument{SchemaVersion: 1, Cases: cases},
		CSV:  output.Table{Columns: caseColumns()},
	}
	for i := range cases {
		c := &cases[i]
		result.CSV.Rows = append(result.CSV.Rows, caseRow(&c.Case))
		result.Text = append(result.Text, caseSections(c)...)
	}
	return result
}

func caseSections(c *shownCase) []output.Section {
	var fields output.Fields
	row := caseRow(&c.Case)
	for i, column := range caseColumns() {
		if column.Name != "detail" {
			fields.Add(column.Name, row[i])
		}
	}
	for _, d := range detailFields(c.Detail) {
		fields.Add(d[0], d[1])
	}
	history := output.Table{Columns: output.Columns("at", "actor", "event", "note")}
	for _, e := range c.Events {
		history.Add(instant(e.At), e.Actor, e.Kind, e.Note)
	}
	sections := []output.Section{{Table: fields.Table()}, {Table: history}}
	text := output.Safe(c.Advice)
	for _, command := range c.Next {
		text += "\n  " + output.Safe(command)
	}
	return append(sections, output.Section{Title: text})
}

// detailFields are the members of a case's detail, in the order of their names.
func detailFields(detail json.RawMessage) [][2]string {
	members := map[string]json.RawMessage{}
	if json.Unmarshal(detail, &members) != nil {
		return [][2]string{{"detail", string(detail)}}
	}
	var fields [][2]string
	for _, name := range slices.Sorted(maps.Keys(members)) {
		var text string
		if json.Unmarshal(members[name], &text) != nil {
			text = string(members[name])
		}
		fields = append(fields, [2]string{name, text})
	}
	return fields
}
