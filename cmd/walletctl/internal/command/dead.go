package command

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/replay"
	"github.com/walletctl/walletctl/walletcore/deadletter"
)

func newDeadCmd(f *factory) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "dead",
		Short: "List what the queues gave up on, show it, send it again or discard it",
	}
	cmd.AddCommand(newDeadListCmd(f), newDeadShowCmd(f), newDeadActCmd(f, requeueAct), newDeadActCmd(f, discardAct))
	asGroup(cmd)
	return cmd
}

// deadDesk opens the dead letters of casino and, where its database is given,
// of gaming; the caller closes it.
func (f *factory) deadDesk(ctx context.Context) (*replay.Desk, func(), error) {
	s, err := f.settings()
	if err != nil {
		return nil, nil, err
	}
	desk := &replay.Desk{}
	if desk.Casino, err = f.open(ctx, s, "CASINO_DATABASE_URL", s.CasinoURL, 1); err != nil {
		return nil, nil, err
	}
	if s.GamingURL.Reveal() == "" {
		fmt.Fprintln(f.streams.Err, "without gaming's dead letters: GAMING_DATABASE_URL is not set")
		return desk, desk.Casino.Close, nil
	}
	if desk.Gaming, err = f.open(ctx, s, "GAMING_DATABASE_URL", s.GamingURL, 1); err != nil {
		desk.Casino.Close()
		return nil, nil, err
	}
	return desk, func() { desk.Casino.Close(); desk.Gaming.Close() }, nil
}

// deadFilter is the flags that select dead letters.
type deadFilter struct {
	replay.DeadFilter
	since, until when
}

func newDeadFilter(f *factory) *deadFilter {
	return &deadFilter{since: when{now: f.now}, until: when{now: f.now}}
}

func (d *deadFilter) add(cmd *cobra.Command, limit int) {
	flags := cmd.Flags()
	flags.StringVar(&d.Queue, "queue", "", "those of one queue, such as casino.notifications")
	flags.Var(&d.since, "since", "kept at or after: "+whenUsage)
	flags.Var(&d.until, "until", "kept before: "+whenUsage)
	flags.IntVar(&d.Limit, "limit", limit, fmt.Sprintf("how many at the most, up to %d", replay.MaxDead))
}

// filter is what the flags say. The error is one of usage.
func (d *deadFilter) filter() (replay.DeadFilter, error) {
	d.Since, d.Until = d.since.at, d.until.at
	if d.Limit == 0 {
		d.Limit = -1 // none at all cannot be meant
	}
	if err := d.Validate(); err != nil {
		return d.DeadFilter, &usageError{err: fmt.Errorf("--%w", err)}
	}
	return d.DeadFilter, nil
}

func deadStates() []string {
	var names []string
	for _, s := range deadletter.States() {
		names = append(names, string(s))
	}
	return append(names, replay.DeadAll)
}

// deadRefs reads the names of letters. The error is one of usage.
func deadRefs(given []string) ([]replay.Ref, error) {
	var refs []replay.Ref
	seen := map[replay.Ref]bool{}
	for _, text := range given {
		ref, err := replay.ParseDeadRef(text)
		if err != nil {
			return nil, &usageError{err: err, try: "walletctl dead list"}
		}
		if !seen[ref] {
			seen[ref] = true
			refs = append(refs, ref)
		}
	}
	return refs, nil
}

// deadColumns are those of a letter in CSV.
func deadColumns() []output.Column {
	return output.Columns("ref", "state", "queue", "exchange", "routing_key", "message_id", "type", "correlation_id", "user_id",
		"content_type", "sent_at", "reason", ">deaths", "first_death_at", "last_death_at", "kept_at", ">body_size", "cut",
		"handled_by", "handled_at", "note", "error")
}
