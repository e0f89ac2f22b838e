package command

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/replay"
	"github.com/walletctl/walletctl/walletcore/job"
)

func newStuckCmd(f *factory) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "stuck",
		Short: "Look at what ran out of retries, on a screen; or list it",
		Long: `Look at what ran out of retries, on a screen that needs a terminal.
"walletctl stuck list" is for scripts.`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return runStuckScreen(cmd, f) },
	}
	cmd.AddCommand(newStuckListCmd(f))
	return cmd
}

// stuckFlags select what is stuck.
type stuckFlags struct {
	replay.StuckFilter
	since, until when
}

func (s *stuckFlags) add(f *factory, cmd *cobra.Command, limit int, limitUsage string) {
	s.since, s.until = when{now: f.now}, when{now: f.now}
	flags := cmd.Flags()
	flags.StringVar(&s.Brand, "brand", "", "of one brand")
	flags.StringVar(&s.Class, "class", "", "whose last error is of one class")
	flags.Var(&s.since, "since", "stuck since this time or later: "+whenUsage)
	flags.Var(&s.until, "until", "stuck since before: "+whenUsage)
	flags.IntVar(&s.Limit, "limit", limit, limitUsage)
	complete(cmd, "class", names([]job.ErrorClass{
		job.ClassConflict, job.ClassInvalid, job.ClassRefused, job.ClassNotLive, job.ClassTimeout, job.ClassPanic, job.ClassUnknown,
	})...)
}

func (s *stuckFlags) filter() replay.StuckFilter {
	filter := s.StuckFilter
	filter.Since, filter.Until = s.since.at, s.until.at
	return filter
}

// stuckOrders are the orders of a list, by the flag's value.
var stuckOrders = map[string]func(a, b *replay.Item) int{
	"age": func(a, b *replay.Item) int { return a.Since.Compare(b.Since) },
	"amount": func(a, b *replay.Item) int {
		return cmp.Or(strings.Compare(a.Currency, b.Currency), b.Amount.Cmp(a.Amount))
	},
	"attempts": func(a, b *replay.Item) int { return cmp.Compare(b.Attempts, a.Attempts) },
	"brand":    func(a, b *replay.Item) int { return strings.Compare(a.Brand, b.Brand) },
	"class":    func(a, b *replay.Item) int { return strings.Compare(a.Class, b.Class) },
	"kind":     func(a, b *replay.Item) int { return strings.Compare(a.Kind, b.Kind) },
	"owner":    func(a, b *replay.Item) int { return strings.Compare(a.Owner, b.Owner) },
}

func sortStuck(items []replay.Item, order string) error {
	compare, known := stuckOrders[order]
	if !known {
		return usagef("", "--sort must be one of %s", strings.Join(stuckOrderNames(), ", "))
	}
	slices.SortStableFunc(items, func(a, b replay.Item) int { return compare(&a, &b) })
	return nil
}

func stuckOrderNames() []string {
	var all []string
	for name := range stuckOrders {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

// errNoScreen says that a screen needs a terminal, and what does not, in one
// line.
func errNoScreen() error {
	return usagef("", "the screen needs a terminal. Try: walletctl stuck list -o json")
}
