package command

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/cmd/internal/exit"
	"github.com/walletctl/walletctl/cmd/internal/hint"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/replay"
)

// deadAct is what a person may do about dead letters.
type deadAct struct {
	name, short, long string
	discard           bool
}

var (
	requeueAct = deadAct{
		name: "requeue", short: "Send dead letters to their queue again, once the cause is repaired",
		long: `Send dead letters to the queue that gave them up, and wait for what comes of it.
Sending again is safe: whoever handles a message does so once. Calls of gaming
are not sent again: replay the deposit or the withdrawal instead.`,
	}
	discardAct = deadAct{
		name: "discard", short: "Say that nothing is to be done about dead letters; they stay",
		long: `Say that nothing is to be done about dead letters. They stay, with your login and
the note, and cannot be sent again.`, discard: true,
	}
)

// deadCommand is one command line of dead requeue or discard.
type deadCommand struct {
	deadAct
	f       *factory
	format  *output.Choice
	flags   *deadFilter
	note    string
	all     bool
	dryRun  bool
	yes     bool
	timeout time.Duration
}

func newDeadActCmd(f *factory, act deadAct) *cobra.Command {
	d := &deadCommand{deadAct: act, f: f, format: output.NewChoice(), flags: newDeadFilter(f)}
	cmd := &cobra.Command{
		Use:   act.name + " {REF... | --all}",
		Short: act.short,
		Long:  act.long,
		Example: fmt.Sprintf("  walletctl dead %[1]s casino-12 --note 'ticket 4711'\n"+
			"  walletctl dead %[1]s --all --queue casino.notifications --since 24h --dry-run", act.name),
		Args: args(d.check),
		RunE: func(cmd *cobra.Command, given []string) error { return d.run(cmd.Context(), given) },
	}
	flags := cmd.Flags()
	flags.StringVar(&d.note, "note", "", "why; kept with your login")
	flags.BoolVar(&d.all, "all", false, "all that wait for a person, of those that the other flags select")
	flags.BoolVar(&d.dryRun, "dry-run", false, "show what would be done, and do nothing")
	flags.BoolVar(&d.yes, "yes", false, "do not ask before acting on more than one")
	flags.DurationVar(&d.timeout, "timeout", 30*time.Second, "how long to wait for what comes of it")
	d.flags.add(cmd, replay.MaxDead)
	addOutput(cmd, d.format)
	return cmd
}

func (d *deadCommand) check(cmd *cobra.Command, given []string) error {
	if d.all == (len(given) > 0) {
		return errors.New("name dead letters or --all, and not both")
	}
	for _, name := range []string{"queue", "since", "until", "limit"} {
		if cmd.Flags().Changed(name) && !d.all {
			return fmt.Errorf("--%s goes with --all", name)
		}
	}
	if d.timeout <= 0 {
		return errors.New("--timeout must be above zero")
	}
	if d.dryRun {
		return nil
	}
	if err := replay.CheckDeadNote(d.note); err != nil {
		return fmt.Errorf("--%w", err)
	}
	return nil
}

func (d *deadCommand) run(ctx context.Context, given []string) error {
	refs, err := deadRefs(given)
	if err != nil {
		return err
	}
	filter, err := d.flags.filter()
	if err != nil {
		return err
	}
	desk, done, err := d.f.deadDesk(ctx)
	if err != nil {
		return err
	}
	defer done()
	plan, err := d.plan(ctx, desk, refs, filter)
	if err != nil {
		return err
	}
	if d.dryRun || len(plan) == 0 {
		return output.Write(d.f.streams.Out, d.format.Format, planResult(plan))
	}
	if d.all || len(plan) > 1 {
		if err := d.confirm(ctx, plan); err != nil {
			return err
		}
	}
	return d.act(ctx, desk, plan)
}

func (d *deadCommand) act(ctx context.Context, desk *replay.Desk, plan []plannedLetter) error {
	run := replay.DeadRun{Discard: d.discard, Note: d.note, Timeout: d.timeout, Progress: d.progress}
	for _, p := range plan {
		run.Refs = append(run.Refs, p.ref)
	}
	results, err := desk.RunDead(ctx, run)
	if len(results) > 0 || err == nil {
		if err := output.Write(d.f.streams.Out, d.format.Format, actedResult(results)); err != nil {
			return err
		}
	}
	if errors.Is(err, replay.ErrForbidden) {
		return hint.With(errors.New("this login may not act on dead letters"),
			"use your own login in the URLs, which must be a member of oncall or supervisor")
	}
	return deadStatus(results, err)
}

// progress tells a person who waits for a long run how far it is.
func (d *deadCommand) progress(_ replay.DeadResult, done, all int) {
	if d.f.streams.ErrTerminal && all > 1 {
		fmt.Fprintf(d.f.streams.Err, "\r%d of %d", done, all)
		if done == all {
			fmt.Fprintln(d.f.streams.Err)
		}
	}
}

// deadStatus is the exit code of a run: what waits for casino is recorded.
func deadStatus(results []replay.DeadResult, err error) error {
	if err == nil {
		return nil
	}
	done, waiting := 0, 0
	for i := range results {
		switch results[i].Outcome {
		case replay.Done:
			done++
		case replay.TimedOut:
			waiting++
		}
	}
	var partial *replay.PartialError
	switch {
	case errors.As(err, &partial) && partial.Left == 0 && done+waiting == len(results):
		return &statusError{code: exit.Waiting, err: err}
	case done+waiting > 0:
		return &statusError{code: exit.Partly, err: err}
	}
	return err
}
