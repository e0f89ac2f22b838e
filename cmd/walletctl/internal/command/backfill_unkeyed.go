package command

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/backfill/unkeyed"
	"github.com/walletctl/walletctl/cmd/internal/exit"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
)

func newBackfillUnkeyedCmd(f *factory) *cobra.Command {
	check, format := false, output.NewChoice()
	cmd := &cobra.Command{
		Use:   "unkeyed",
		Short: "Report which producers still send movements without an id",
		Long: `Report which producers still send live bets and wins without an id: each that
providers.yaml lists with a deadline, and each that ever sent one. A message that
came again counts once. What is refused after the deadline is counted too.

A producer is open while it is listed and its deadline has not passed, or while
something came, or was refused, in the last 7 days. With --check the exit code is
1 until none is open, for cron; without it the report alone is wanted: 0.

Any login that reads schema gaming will do.`,
		Example: "  walletctl backfill unkeyed\n  walletctl backfill unkeyed --check -o csv",
		Args:    args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			report, err := f.readUnkeyed(cmd)
			if err != nil {
				return err
			}
			if err := output.Write(f.streams.Out, format.Format, unkeyedResult(&report)); err != nil {
				return err
			}
			if n := report.Open(); check && n > 0 {
				return &statusError{code: exit.Failed, err: fmt.Errorf("%d producers send movements without an id, or still may", n)}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "exit with 1 until no producer is open")
	addOutput(cmd, format)
	return cmd
}

func (f *factory) readUnkeyed(cmd *cobra.Command) (unkeyed.Report, error) {
	s, err := f.settings()
	if err != nil {
		return unkeyed.Report{}, err
	}
	pool, err := f.open(cmd.Context(), s, "GAMING_DATABASE_URL", s.GamingURL, 1)
	if err != nil {
		return unkeyed.Report{}, err
	}
	defer pool.Close()
	return unkeyed.Read(cmd.Context(), pool)
}

type unkeyedDocument struct {
	SchemaVersion int           `json:"schema_version"`
	Open          int           `json:"open"` // producers
	Producers     []unkeyedItem `json:"producers"`
}

type unkeyedItem struct {
	Brand           string     `json:"brand"`
	Provider        string     `json:"provider"`
	Open            bool       `json:"open"`
	Until           *time.Time `json:"until"` // null: not on the list
	MessageIDHeader string     `json:"message_id_header"`
	ListedAt        *time.Time `json:"listed_at"`
	Movements       int64      `json:"movements"`
	Last24h         int64      `json:"movements_24h"`
	Last7d          int64      `json:"movements_7d"`
	LastAt          *time.Time `json:"last_at"`
	Refused         int64      `json:"refused"`
	RefusedAt       *time.Time `json:"refused_at"`
}

func unkeyedResult(report *unkeyed.Report) output.Result {
	document := unkeyedDocument{SchemaVersion: 1, Open: report.Open(), Producers: []unkeyedItem{}}
	table := output.Table{Columns: output.Columns(
		"brand", "provider", "open", "until", ">24h", ">7d", ">movements", "last_at", ">refused", "refused_at")}
	for i := range report.Producers {
		t := &report.Producers[i]
		item := unkeyedItem{
			t.Brand, t.Provider, t.Open(report.At), known(t.Until), t.MessageIDHeader, known(t.ListedAt),
			t.Total, t.Day, t.Week, known(t.LastAt), t.Refused, known(t.RefusedAt),
		}
		document.Producers = append(document.Producers, item)
		table.Add(item.Brand, item.Provider, yes(item.Open), instant(t.Until), number(t.Day), number(t.Week), number(t.Total),
			instant(t.LastAt), number(t.Refused), instant(t.RefusedAt))
	}
	return output.Result{JSON: document, CSV: table}
}

// known is nil for the zero time.
func known(at time.Time) *time.Time {
	if at.IsZero() {
		return nil
	}
	return &at
}
