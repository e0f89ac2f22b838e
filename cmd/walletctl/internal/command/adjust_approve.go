package command

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/adjust"
	"github.com/walletctl/walletctl/cmd/internal/exit"
	"github.com/walletctl/walletctl/cmd/internal/hint"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
)

// approving is one command line of adjust approve.
type approving struct {
	note    string
	confirm string
	dryRun  bool
	timeout time.Duration
	format  *output.Choice
}

func newAdjustApproveCmd(f *factory) *cobra.Command {
	a := &approving{format: output.NewChoice()}
	cmd := &cobra.Command{
		Use:   "approve ID",
		Short: "Approve what another asked for, and wait for its posting",
		Long: `Approve what another asked for, and wait until gaming has posted it.

What it would do is shown first, with the balance as it is now; then the amount
is typed, or given with --confirm.

Exit codes: 0 posted; 1 refused, nothing moved; 8 approved, and waiting for a
second approver, or for gaming, which posts it as soon as it can.`,
		Example: "  walletctl adjust approve adj_3f0c6a528f3e4b1d9d573a1f6b0c2e11",
		Args:    args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, given []string) error {
			return f.withDesk(cmd.Context(), func(desk *adjust.Desk) error { return a.run(cmd.Context(), f, desk, given[0]) })
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&a.note, "note", "", "kept with your approval")
	flags.StringVar(&a.confirm, "confirm", "", "the amount, as it would be typed")
	flags.BoolVar(&a.dryRun, "dry-run", false, "do everything and take it back: show what it would do")
	flags.DurationVar(&a.timeout, "timeout", 15*time.Second, "how long to wait for gaming")
	addOutput(cmd, a.format)
	return cmd
}

func (a *approving) run(ctx context.Context, f *factory, desk *adjust.Desk, id string) error {
	asked, err := desk.Find(ctx, id)
	if err != nil {
		return err
	}
	if asked.State != adjust.Requested {
		return &adjust.RuleError{Ended: true, Text: fmt.Sprintf("adjustment %s is %s", id, asked.State)}
	}
	preview, err := desk.PreviewApproval(ctx, asked)
	if err != nil {
		return err
	}
	if err := a.tryOut(ctx, desk, id); err != nil || a.dryRun {
		return a.tried(f, &asked, preview, err)
	}
	if err := showRequest(f, &asked, preview); err != nil {
		return err
	}
	if err := confirm(ctx, f, a.confirm, signed(asked.Amount(), asked.Currency)); err != nil {
		return err
	}
	enough, err := desk.Approve(ctx, id, a.note)
	if err != nil {
		return asFlag(err)
	}
	if !enough {
		return a.second(ctx, f, desk, id)
	}
	return a.wait(ctx, f, desk, id)
}

// showRequest shows, before the question, what was asked for and what it would
// do.
func showRequest(f *factory, asked *adjust.Adjustment, preview adjust.Preview) error {
	var fields output.Fields
	fields.Add("requested by", asked.RequestedBy)
	fields.Add("age", age(f.now(), asked.RequestedAt))
	fields.Add("reason", asked.Reason)
	fields.Add("ticket", asked.Ticket)
	fields.Add("note", asked.Note)
	fields.Add("case", asked.CaseRef)
	if asked.AllowDebt {
		fields.Add("debt", "may be made by it")
	}
	result := approvalPreview(asked, preview)
	result.Text = append([]output.Section{{Table: fields.Table()}}, result.Text...)
	return showAbove(f, result)
}

// tryOut goes through the approval and takes it back: who may not approve it is
// told so before typing an amount.
func (a *approving) tryOut(ctx context.Context, desk *adjust.Desk, id string) error {
	dry := *desk
	dry.DryRun = true
	_, err := dry.Approve(ctx, id, a.note)
	return asFlag(err)
}

// tried is the end of a dry run, or of what is not possible.
func (a *approving) tried(f *factory, asked *adjust.Adjustment, preview adjust.Preview, err error) error {
	if err != nil {
		return err
	}
	fmt.Fprintln(f.streams.Err, "dry run: nothing was recorded")
	return output.Write(f.streams.Out, a.format.Format, approvalPreview(asked, preview))
}

// second: approved, and not by enough.
func (a *approving) second(ctx context.Context, f *factory, desk *adjust.Desk, id string) error {
	now, err := desk.Find(ctx, id)
	if err == nil {
		err = output.Write(f.streams.Out, a.format.Format, adjustmentResult(&now))
	}
	return waiting(err, "your approval of %s is recorded; it waits for a second supervisor", id)
}

// wait shows the adjustment once gaming has posted or refused it.
func (a *approving) wait(ctx context.Context, f *factory, desk *adjust.Desk, id string) error {
	limited, cancel := context.WithTimeout(ctx, a.timeout)
	defer cancel()
	now, err := desk.Wait(limited, id)
	look := "walletctl adjust show " + id
	switch {
	case ctx.Err() != nil:
		return hint.With(fmt.Errorf("interrupted: %s is approved; gaming posts it, or has by now", id), look)
	case err != nil:
		return hint.With(waiting(err, "%s is approved, and gaming posts it", id), look)
	}
	if err := output.Write(f.streams.Out, a.format.Format, recordOf(ctx, desk, &now)); err != nil {
		return err
	}
	switch now.State {
	case adjust.Posted:
		return nil
	case adjust.Refused:
		return hint.With(fmt.Errorf("%s is refused by gaming, nothing moved", id), look+", and make another request")
	}
	return hint.With(waiting(nil, "%s is approved; gaming has not posted it within %s, and will", id, a.timeout), look)
}

// recordOf shows the steps as well, where they can be read.
func recordOf(ctx context.Context, desk *adjust.Desk, a *adjust.Adjustment) output.Result {
	steps, err := desk.Steps(ctx, a.ID)
	if err != nil {
		return adjustmentResult(a)
	}
	return recordResult(&adjust.Record{Adjustment: *a, Steps: steps})
}

// waiting is exit code 8, and says for what.
func waiting(cause error, format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	if cause != nil {
		err = errors.Join(err, cause)
	}
	return &statusError{code: exit.Waiting, err: err}
}
