package command

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/adjust"
	"github.com/walletctl/walletctl/cmd/internal/exit"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
)

// asking is one command line of adjust request.
type asking struct {
	amountFlags
	reason, ticket, note string
	entry                int64
	caseRef              string
	debt                 bool
	expires              time.Duration
	confirm              string
	dryRun               bool
	format               *output.Choice
}

func newAdjustRequestCmd(f *factory) *cobra.Command {
	a := &asking{format: output.NewChoice()}
	cmd := &cobra.Command{
		Use:   "request " + walletUse,
		Short: "Ask for an adjustment of a wallet; a supervisor approves it",
		Long: `Ask for an adjustment of a wallet, for another employee to approve.

What it would do is shown first: the balance before and after, the rounds that
are open, whether it would be refused, and whether one approval will do. Then the
amount is typed, or given with --confirm. Exit code 8: recorded, and waiting for
a supervisor.

An adjustment is posted whole or not at all. It takes real below zero only with
--allow-debt, and only where its approvers may allow that.`,
		Example: `  walletctl adjust request acme player-17 EUR --credit 5.00 --reason goodwill --ticket T-4711
  walletctl adjust request acme player-17 EUR --reverse 12 --reason double_credit --ticket T-4712`,
		Args: args(a.check),
		RunE: func(cmd *cobra.Command, given []string) error { return a.run(cmd.Context(), f, given) },
	}
	a.add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&a.reason, "reason", "", "why, a code of: walletctl adjust reasons")
	flags.StringVar(&a.ticket, "ticket", "", "where it was decided")
	flags.StringVar(&a.note, "note", "", "what else the approver should know")
	flags.Int64Var(&a.entry, "entry", 0, "the wallet's entry with this `seq` is what it corrects")
	flags.StringVar(&a.caseRef, "case", "", "the case that it answers")
	flags.BoolVar(&a.debt, "allow-debt", false, "let it take real below zero, as a debt")
	flags.DurationVar(&a.expires, "expires-in", adjust.DefaultExpiry, "how long it waits for an approver, at most 720h")
	flags.StringVar(&a.confirm, "confirm", "", "the amount, as it would be typed")
	flags.BoolVar(&a.dryRun, "dry-run", false, "do everything and take it back: show what it would do")
	addOutput(cmd, a.format)
	return cmd
}

func (a *asking) check(cmd *cobra.Command, given []string) error {
	if err := a.amountFlags.check(cmd, given); err != nil {
		return err
	}
	switch {
	case a.reason == "":
		return usagef("walletctl adjust reasons", "--reason must say why")
	case strings.TrimSpace(a.ticket) == "":
		return errors.New("--ticket must say where it was decided")
	case len(chosen(cmd, "entry", "reverse")) > 1:
		return errors.New("--reverse names the entry already: leave --entry out")
	case cmd.Flags().Changed("entry") && a.entry < 1:
		return errors.New("--entry is the seq of an entry, from 1; walletctl wallet history shows them")
	}
	return nil
}

func (a *asking) run(ctx context.Context, f *factory, given []string) error {
	wallet, err := walletID(given)
	if err != nil {
		return err
	}
	return f.withDesk(ctx, func(desk *adjust.Desk) error {
		request, err := a.request(ctx, desk, wallet)
		if err != nil {
			return err
		}
		preview, err := desk.Preview(ctx, request)
		if err != nil {
			return asFlag(err)
		}
		if err := a.tryOut(ctx, desk, request); err != nil || a.dryRun {
			return a.tried(f, request, preview, err)
		}
		if err := showAbove(f, requestPreview(request, preview)); err != nil {
			return err
		}
		amount := signed(request.Change().Total(), preview.Wallet.Currency)
		if err := confirm(ctx, f, a.confirm, amount); err != nil {
			return err
		}
		if _, err := desk.Request(ctx, request); err != nil {
			return asFlag(err)
		}
		return a.done(ctx, f, desk, request.ID)
	})
}

func (a *asking) request(ctx context.Context, desk *adjust.Desk, wallet uuid.UUID) (adjust.Request, error) {
	change, reversed, err := a.change(ctx, desk, wallet)
	r := adjust.Request{
		ID: adjust.NewID(), Wallet: wallet, Real: change.Real, Bonus: change.Bonus, Reason: a.reason, Ticket: a.ticket, Note: a.note,
		CorrectsSeq: reversed, CaseRef: a.caseRef, AllowDebt: a.debt, ExpiresIn: a.expires,
	}
	if a.entry > 0 {
		r.CorrectsSeq = &a.entry
	}
	if a.expires == 0 {
		r.ExpiresIn = -1 // no time at all, which is refused
	}
	return r, err
}

// tryOut goes through all of it and takes it back: what is refused is refused
// before anybody types an amount.
func (a *asking) tryOut(ctx context.Context, desk *adjust.Desk, request adjust.Request) error {
	dry := *desk
	dry.DryRun = true
	_, err := dry.Request(ctx, request)
	return asFlag(err)
}

// tried is the end of a dry run, or of what is not possible.
func (a *asking) tried(f *factory, request adjust.Request, preview adjust.Preview, err error) error {
	if err != nil {
		return err
	}
	fmt.Fprintln(f.streams.Err, "dry run: nothing was recorded")
	return output.Write(f.streams.Out, a.format.Format, requestPreview(request, preview))
}

// done shows what was recorded, and exits with 8: it waits for somebody.
func (a *asking) done(ctx context.Context, f *factory, desk *adjust.Desk, id string) error {
	recorded, err := desk.Find(ctx, id)
	if err != nil {
		return &statusError{code: exit.Waiting, err: fmt.Errorf("%s is recorded and waits for a supervisor, and could not be read: %w", id, err)}
	}
	if err := output.Write(f.streams.Out, a.format.Format, adjustmentResult(&recorded)); err != nil {
		return err
	}
	fmt.Fprintf(f.streams.Err, "%s is recorded and waits until %s for %s\n", id, instant(recorded.ExpiresAt), approversOf(&recorded))
	return &statusError{code: exit.Waiting}
}

func approversOf(a *adjust.Adjustment) string {
	if a.NeedsTwo {
		return "two supervisors: it is above your limits"
	}
	return "a supervisor"
}
