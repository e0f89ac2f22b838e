package command

import (
	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/backfill/history"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
)

func newBackfillStatusCmd(f *factory) *cobra.Command {
	format := output.NewChoice()
	var brand string
	cmd := &cobra.Command{
		Use:   "status",
		Short: "List the imports of history and how far they are",
		Args:  args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := f.settings()
			if err != nil {
				return err
			}
			pool, err := f.open(cmd.Context(), s, "GAMING_DATABASE_URL", s.GamingURL, 1)
			if err != nil {
				return err
			}
			defer pool.Close()
			list, err := history.List(cmd.Context(), pool, brand)
			if err != nil {
				return err
			}
			return output.Write(f.streams.Out, format.Format, statusResult(list))
		},
	}
	cmd.Flags().StringVar(&brand, "brand", "", "of one brand")
	addOutput(cmd, format)
	return cmd
}

type statusDocument struct {
	SchemaVersion int              `json:"schema_version"`
	Imports       []history.Status `json:"imports"`
}

func statusResult(list []history.Status) output.Result {
	table := output.Table{Columns: output.Columns("import", "brand", "mapping", "since", "until", "started_at", "started_by", "state",
		">wallets", ">rows", ">refused")}
	for i := range list {
		s := &list[i]
		table.Add(s.ID.String(), s.Brand, s.Mapping, instantOrNone(s.Since), instantOrNone(s.Until), instant(s.StartedAt), s.StartedBy, stateOfImport(s),
			number(s.Wallets), number(s.Rows), number(s.Refused))
	}
	if list == nil {
		list = []history.Status{}
	}
	return output.Result{JSON: statusDocument{SchemaVersion: 1, Imports: list}, CSV: table}
}

func stateOfImport(s *history.Status) string {
	switch {
	case s.EndedAt != nil:
		return "ended"
	case s.Running:
		return "running"
	}
	return "stopped"
}
