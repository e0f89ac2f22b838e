package command

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/replay"
)

const replayLong = `Send deposits, withdrawals and effects again that ran out of retries, and wait for
what comes of each: the receipt, or the new error.

Sending again is safe. The kept job itself works again, under the key that it
always had: what was credited already is answered with its first receipt and
moves nothing. What was given back, or charged back, is never paid by a replay.

--all-stuck sends everything that "walletctl stuck list" shows, shows how many
and how much first, and asks. The text to type is the sum; --confirm gives it
beforehand, and is what you agree to at the most: a run that was stopped or
killed goes on with the same command, with less. Ctrl-C stops after what has
begun.

Your login, a member of oncall or supervisor, is kept with each replay.

Exit code: 0 all done, 1 none, 3 partly, 2 not confirmed, 130 interrupted.`

// replayFlags are one command line of replay.
type replayFlags struct {
	stuck    stuckFlags
	allStuck bool
	rate     int
	dryRun   bool
	why      string
	timeout  time.Duration
	confirm  string
	format   *output.Choice
}

func newReplayCmd(f *factory) *cobra.Command {
	r := &replayFlags{format: output.NewChoice()}
	cmd := &cobra.Command{
		Use:   "replay {ID... | --all-stuck}",
		Short: "Send again what ran out of retries, and wait for what comes of it",
		Long:  replayLong,
		Example: `  walletctl replay dep_019ad3c7b1f27c3e9d5a41f0c2b8e6d4 --why 'gaming is back, ticket 4711'
  walletctl replay --all-stuck --brand acme --since 2h --dry-run
  walletctl replay --all-stuck --brand acme --rate 100 --confirm '1250.00 EUR'`,
		Args: args(r.check),
		RunE: func(cmd *cobra.Command, given []string) error { return r.run(cmd.Context(), f, given) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&r.allStuck, "all-stuck", false, "everything that is stuck, of what the flags select")
	r.stuck.add(f, cmd, 0, "how many at the most; the oldest first; 0 is all")
	flags.IntVar(&r.rate, "rate", 50, "how many to send a second, at the most")
	flags.DurationVar(&r.timeout, "timeout", 30*time.Second, "how long to wait for each")
	flags.StringVar(&r.why, "why", "walletctl replay", "why; kept with your login")
	flags.BoolVar(&r.dryRun, "dry-run", false, "say what would be sent, and send nothing")
	flags.StringVar(&r.confirm, "confirm", "", "the sum that would have to be typed, such as '1250.00 EUR'")
	addOutput(cmd, r.format)
	return cmd
}

func (r *replayFlags) check(cmd *cobra.Command, given []string) error {
	if r.allStuck == (len(given) > 0) {
		return errors.New("name what to send, or --all-stuck, and not both")
	}
	for _, name := range []string{"brand", "class", "since", "until", "limit", "confirm"} {
		if cmd.Flags().Changed(name) && !r.allStuck {
			return fmt.Errorf("--%s goes with --all-stuck", name)
		}
	}
	if r.rate < 1 || r.timeout <= 0 {
		return errors.New("--rate and --timeout must be above zero")
	}
	subjects, err := subjectsOf(given)
	if err != nil {
		return err
	}
	if r.allStuck {
		subjects = []replay.Subject{{Type: replay.Deposit}}
	}
	options := r.options(subjects)
	if err := options.Validate(); err != nil {
		return fmt.Errorf("--%w", err)
	}
	return nil
}

// subjectsOf reads ids, each once.
func subjectsOf(given []string) ([]replay.Subject, error) {
	var subjects []replay.Subject
	seen := map[string]bool{}
	for _, id := range given {
		subject, err := replay.ParseSubject(id)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", output.Safe(id), err)
		}
		if !seen[id] {
			seen[id] = true
			subjects = append(subjects, subject)
		}
	}
	return subjects, nil
}

func (r *replayFlags) options(subjects []replay.Subject) replay.RunOptions {
	return replay.RunOptions{Subjects: subjects, Why: r.why, Rate: r.rate, Timeout: r.timeout}
}

func (r *replayFlags) run(ctx context.Context, f *factory, given []string) error {
	desk, err := f.casinoDesk(ctx)
	if err != nil {
		return err
	}
	defer desk.close()
	subjects, _ := subjectsOf(given) // checked
	if r.allStuck {
		if subjects, err = r.choose(ctx, f, desk); err != nil {
			return err
		}
	}
	if len(subjects) == 0 {
		fmt.Fprintln(f.streams.Err, "nothing is stuck")
		return output.Write(f.streams.Out, r.format.Format, replayResult(nil, 0))
	}
	if r.dryRun {
		return r.rehearse(ctx, f, desk, subjects)
	}
	return r.send(ctx, f, desk, subjects)
}

// send replays and tells of each, also where it was stopped.
func (r *replayFlags) send(ctx context.Context, f *factory, desk *oncallDesk, subjects []replay.Subject) error {
	options := r.options(subjects)
	progress := newReplayProgress(f, len(subjects))
	options.Progress = progress.update
	results, err := desk.Run(ctx, options)
	progress.clear()
	if err != nil && len(results) == 0 {
		return tryOncall(err)
	}
	if written := output.Write(f.streams.Out, r.format.Format, replayResult(results, len(subjects)-len(results))); written != nil {
		return errors.Join(written, err)
	}
	return replayStatus(ctx, err)
}

// rehearse says what would come of each.
func (r *replayFlags) rehearse(ctx context.Context, f *factory, desk *oncallDesk, subjects []replay.Subject) error {
	results := make([]replay.Result, 0, len(subjects))
	for _, subject := range subjects {
		sent, err := desk.DryRun(ctx, subject)
		if err != nil {
			return tryOncall(err)
		}
		results = append(results, replay.Result{Subject: sent.Subject, Outcome: sent.Outcome})
	}
	fmt.Fprintln(f.streams.Err, "dry run: nothing was sent")
	return output.Write(f.streams.Out, r.format.Format, replayResult(results, 0))
}
