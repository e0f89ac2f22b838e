package command

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/replay"
)

func newStuckListCmd(f *factory) *cobra.Command {
	flags, format, order := &stuckFlags{}, output.NewChoice(), "age"
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List what ran out of retries, the oldest first",
		Example: "  walletctl stuck list --brand acme --since 24h -o json",
		Args:    args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			filter := flags.filter()
			if filter.Limit == 0 {
				filter.Limit = -1 // none at all cannot be meant
			}
			if err := filter.Validate(); err != nil {
				return &usageError{err: fmt.Errorf("--%w", err)}
			}
			if err := sortStuck(nil, order); err != nil {
				return err
			}
			return listStuck(cmd, f, format, filter, order)
		},
	}
	flags.add(f, cmd, 1000, fmt.Sprintf("how many at the most, up to %d; the oldest first", replay.MaxStuck))
	cmd.Flags().StringVar(&order, "sort", order, "the order: "+strings.Join(stuckOrderNames(), ", "))
	complete(cmd, "sort", stuckOrderNames()...)
	addOutput(cmd, format)
	return cmd
}

func listStuck(cmd *cobra.Command, f *factory, format *output.Choice, filter replay.StuckFilter, order string) error {
	desk, err := f.casinoDesk(cmd.Context())
	if err != nil {
		return err
	}
	defer desk.close()
	items, err := desk.Stuck(cmd.Context(), filter)
	if err != nil {
		return err
	}
	_ = sortStuck(items, order) // checked
	if err := output.Write(f.streams.Out, format.Format, stuckResult(items, f.now())); err != nil {
		return err
	}
	if len(items) == filter.Limit {
		fmt.Fprintf(f.streams.Err, "there may be more: raise --limit=%d\n", filter.Limit)
	}
	return nil
}

type stuckDocument struct {
	SchemaVersion int           `json:"schema_version"`
	Items         []replay.Item `json:"items"`
}

func stuckResult(items []replay.Item, now time.Time) output.Result {
	document := stuckDocument{SchemaVersion: 1, Items: []replay.Item{}}
	rows := output.Table{Columns: output.Columns("id", "type", "case", "kind", "status", "brand", "user", ">amount", "currency",
		">attempts", "error_class", "last_error", "since", "owner", "next_attempt_at")}
	text := output.Table{Columns: output.Columns(">age", "id", "kind", "brand", "user", ">amount", "currency", ">attempts",
		"class", "owner", "last_error")}
	for i := range items {
		item := &items[i]
		document.Items = append(document.Items, *item)
		amount, attempts := item.Amount.String(), strconv.Itoa(item.Attempts)
		rows.Add(item.Subject.ID, item.Subject.Type, item.Case.String(), item.Kind, item.Status, item.Brand, item.User, amount,
			item.Currency, attempts, item.Class, item.LastError, instant(item.Since), item.Owner, instantOrNone(item.NextAttemptAt))
		text.Add(age(now, item.Since), item.Subject.ID, item.Kind, item.Brand, item.User, amount, item.Currency, attempts,
			item.Class, item.Owner, clipped(item.LastError))
	}
	return output.Result{JSON: document, CSV: rows, Text: []output.Section{{Table: text}}}
}

// age is how long ago something was, in its two greatest units.
func age(now, since time.Time) string {
	d := max(now.Sub(since), 0)
	days, hours, minutes := int(d/(24*time.Hour)), int(d/time.Hour)%24, int(d/time.Minute)%60
	switch {
	case days > 0:
		return fmt.Sprintf("%dd%02dh", days, hours)
	case hours > 0:
		return fmt.Sprintf("%dh%02dm", hours, minutes)
	}
	return fmt.Sprintf("%dm%02ds", minutes, int(d/time.Second)%60)
}
