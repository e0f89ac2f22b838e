package command

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/replay"
)

const defaultDead = 50

func newDeadListCmd(f *factory) *cobra.Command {
	format := output.NewChoice()
	flags := newDeadFilter(f)
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List dead letters, the one that waits longest first",
		Long: `List dead letters of casino and of gaming, the one that waits longest first. Without
--state those are shown that wait for a person or for being sent.`,
		Example: "  walletctl dead list --queue casino.notifications --since 24h",
		Args:    args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			filter, err := flags.filter()
			if err != nil {
				return err
			}
			return listDead(cmd, f, format, filter)
		},
	}
	flags.add(cmd, defaultDead)
	cmd.Flags().StringVar(&flags.State, "state", "", "those in one state, or all")
	complete(cmd, "state", deadStates()...)
	addOutput(cmd, format)
	return cmd
}

func listDead(cmd *cobra.Command, f *factory, format *output.Choice, filter replay.DeadFilter) error {
	desk, done, err := f.deadDesk(cmd.Context())
	if err != nil {
		return err
	}
	defer done()
	letters, err := desk.Dead(cmd.Context(), filter)
	if err != nil {
		return err
	}
	if err := output.Write(f.streams.Out, format.Format, deadResult(letters)); err != nil {
		return err
	}
	if len(letters) == filter.Limit {
		fmt.Fprintf(f.streams.Err, "there may be more: raise --limit above %d\n", filter.Limit)
	}
	return nil
}

type deadDocument struct {
	SchemaVersion int                 `json:"schema_version"`
	DeadLetters   []replay.DeadLetter `json:"dead_letters"`
}

func deadResult(letters []replay.DeadLetter) output.Result {
	document := deadDocument{SchemaVersion: 1, DeadLetters: []replay.DeadLetter{}}
	text := output.Table{Columns: output.Columns("ref", "state", "queue", ">deaths", "last_death_at", "message_id", "reason")}
	rows := output.Table{Columns: deadColumns()}
	for i := range letters {
		l := &letters[i]
		document.DeadLetters = append(document.DeadLetters, *l)
		rows.Add(deadRow(l)...)
		text.Add(l.Ref.String(), string(l.State), l.Queue, strconv.Itoa(l.Deaths), instant(l.LastDeathAt), l.MessageID, clipped(l.Reason))
	}
	return output.Result{JSON: document, CSV: rows, Text: []output.Section{{Table: text}}}
}

// deadRow has a cell for each of deadColumns.
func deadRow(l *replay.DeadLetter) []string {
	return []string{
		l.Ref.String(), string(l.State), l.Queue, l.Exchange, l.RoutingKey, l.MessageID, l.Type, l.CorrelationID, l.UserID,
		l.ContentType, instantOrNone(l.SentAt), l.Reason, strconv.Itoa(l.Deaths), instant(l.FirstDeathAt), instant(l.LastDeathAt),
		instant(l.KeptAt), strconv.FormatInt(l.BodySize, 10), strconv.FormatBool(l.Cut), l.HandledBy, instantOrNone(l.HandledAt),
		l.Note, l.Error,
	}
}
