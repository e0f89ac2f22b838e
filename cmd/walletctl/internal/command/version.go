package command

import (
	"strconv"

	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/cmd/internal/version"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
)

type versionDocument struct {
	SchemaVersion int `json:"schema_version"`
	version.Info
}

func newVersionCmd(f *factory) *cobra.Command {
	format := output.NewChoice()
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Say which build this is",
		Args:  args(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			info := version.Get()
			table := output.Table{Columns: output.Columns("version", "revision", "modified", "go")}
			table.Add(info.Version, info.Revision, strconv.FormatBool(info.Modified), info.Go)
			return output.Write(f.streams.Out, format.Format, output.Result{
				JSON: versionDocument{SchemaVersion: 1, Info: info},
				CSV:  table,
			})
		},
	}
	addOutput(cmd, format)
	return cmd
}
