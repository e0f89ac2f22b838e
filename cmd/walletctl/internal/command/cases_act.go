package command

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/cmd/internal/exit"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/replay"
)

// caseAct is what a person does to cases.
type caseAct struct {
	done string // what is said of each that it was done to
	do   func(ctx context.Context, d *replay.Desk, ref replay.Ref) error
}

func newCasesClaimCmd(f *factory) *cobra.Command {
	takeOver := false
	act := caseAct{"claimed", func(ctx context.Context, d *replay.Desk, ref replay.Ref) error { return d.Claim(ctx, ref, takeOver) }}
	cmd := act.command(f, "claim CASE...", "Say that you see to cases")
	cmd.Example = "  walletctl cases claim casino-17 casino-18"
	cmd.Flags().BoolVar(&takeOver, "take-over", false, "also those that another sees to")
	return cmd
}

func newCasesReleaseCmd(f *factory) *cobra.Command {
	act := caseAct{"released", func(ctx context.Context, d *replay.Desk, ref replay.Ref) error { return d.Release(ctx, ref) }}
	return act.command(f, "release CASE...", "Give cases back to nobody")
}

func newCasesNoteCmd(f *factory) *cobra.Command {
	text := ""
	act := caseAct{"noted", func(ctx context.Context, d *replay.Desk, ref replay.Ref) error { return d.Note(ctx, ref, text) }}
	cmd := act.command(f, "note CASE...", "Add a line to the history of cases, also of closed ones")
	cmd.Example = "  walletctl cases note casino-17 --text 'asked the gateway, ticket 4711'"
	needsText(cmd, &text, "text", "what to add; no personal data")
	return cmd
}

func newCasesResolveCmd(f *factory) *cobra.Command {
	reason := ""
	act := caseAct{"resolved", func(ctx context.Context, d *replay.Desk, ref replay.Ref) error { return d.Resolve(ctx, ref, reason) }}
	cmd := act.command(f, "resolve CASE...", "Close cases, with a reason")
	cmd.Long = `Close cases, with a reason. Nothing else happens: no money moves. What ran out of
retries closes its case by itself, once it is sent again.`
	cmd.Example = "  walletctl cases resolve casino-17 --reason 'refunded at the gateway, ticket 4711'"
	needsText(cmd, &reason, "reason", "why; no personal data")
	return cmd
}

func (a *caseAct) command(f *factory, use, short string) *cobra.Command {
	format := output.NewChoice()
	cmd := &cobra.Command{
		Use:   use,
		Short: short,
		Args:  args(caseArgs),
		RunE: func(cmd *cobra.Command, given []string) error {
			refs, _ := refsOf(given) // checked
			return a.run(cmd.Context(), f, format, refs)
		},
	}
	addOutput(cmd, format)
	return cmd
}

// needsText is a flag that must say something.
func needsText(cmd *cobra.Command, text *string, name, usage string) {
	cmd.Flags().StringVar(text, name, "", usage)
	check := cmd.Args
	cmd.Args = func(cmd *cobra.Command, given []string) error {
		if strings.TrimSpace(*text) == "" || len(*text) > replay.MaxNote {
			return usagef("", "--%s must say something, in at most %d bytes", name, replay.MaxNote)
		}
		return check(cmd, given)
	}
}

// run acts on each, and tells of each: where others were faster the rest is
// done all the same.
func (a *caseAct) run(ctx context.Context, f *factory, format *output.Choice, refs []replay.Ref) error {
	desk, err := f.desk(ctx)
	if err != nil {
		return err
	}
	defer desk.close()
	document := actsDocument{SchemaVersion: 1, Results: []actItem{}}
	var failed []error
	for _, ref := range refs {
		item := actItem{Case: ref, Result: a.done}
		if err := a.do(ctx, &desk.Desk, ref); err != nil {
			item.Result, item.Error = "refused", err.Error()
			failed = append(failed, failedAct(ref, err))
		}
		document.Results = append(document.Results, item)
		if ctx.Err() != nil {
			break
		}
	}
	if err := output.Write(f.streams.Out, format.Format, actsResult(document)); err != nil {
		return err
	}
	if len(failed) > 0 && len(failed) < len(document.Results) {
		return &statusError{code: exit.Partly, err: tryOncall(errors.Join(failed...))}
	}
	return tryOncall(errors.Join(failed...))
}

// failedAct names the case where the error does not.
func failedAct(ref replay.Ref, err error) error {
	var other *replay.CaseError
	if errors.As(err, &other) {
		return err
	}
	return fmt.Errorf("case %s: %w", ref, caseNotFound(err))
}

type actsDocument struct {
	SchemaVersion int       `json:"schema_version"`
	Results       []actItem `json:"results"`
}

type actItem struct {
	Case   replay.Ref `json:"case"`
	Result string     `json:"result"` // claimed, released, noted, resolved or refused
	Error  string     `json:"error,omitempty"`
}

func actsResult(document actsDocument) output.Result {
	table := output.Table{Columns: output.Columns("case", "result", "error")}
	for _, item := range document.Results {
		table.Add(item.Case.String(), item.Result, item.Error)
	}
	return output.Result{JSON: document, CSV: table}
}
