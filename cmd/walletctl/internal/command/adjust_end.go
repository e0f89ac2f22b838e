package command

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/adjust"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
)

// ending is one command line of adjust reject or cancel.
type ending struct {
	note   string
	dryRun bool
	format *output.Choice
	act    func(desk *adjust.Desk, ctx context.Context, id, note string) error
}

func newAdjustRejectCmd(f *factory) *cobra.Command {
	e := &ending{act: (*adjust.Desk).Reject}
	cmd := e.command(f, "reject ID", "Say no to what another asked for, and why")
	cmd.Example = "  walletctl adjust reject adj_3f0c6a528f3e4b1d9d573a1f6b0c2e11 --note 'the provider paid it already'"
	cmd.Args = args(func(cmd *cobra.Command, given []string) error {
		if strings.TrimSpace(e.note) == "" {
			return errors.New("--note must say why")
		}
		return cobra.ExactArgs(1)(cmd, given)
	})
	return cmd
}

func newAdjustCancelCmd(f *factory) *cobra.Command {
	e := &ending{act: (*adjust.Desk).Cancel}
	cmd := e.command(f, "cancel ID", "Take back what you asked for, while nobody has approved it")
	cmd.Example = "  walletctl adjust cancel adj_3f0c6a528f3e4b1d9d573a1f6b0c2e11"
	return cmd
}

func (e *ending) command(f *factory, use, short string) *cobra.Command {
	e.format = output.NewChoice()
	cmd := &cobra.Command{
		Use:   use,
		Short: short,
		Args:  args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, given []string) error {
			return f.withDesk(cmd.Context(), func(desk *adjust.Desk) error { return e.run(cmd.Context(), f, desk, given[0]) })
		},
	}
	cmd.Flags().StringVar(&e.note, "note", "", "kept with it")
	cmd.Flags().BoolVar(&e.dryRun, "dry-run", false, "do it and take it back: say whether it would be possible")
	addOutput(cmd, e.format)
	return cmd
}

func (e *ending) run(ctx context.Context, f *factory, desk *adjust.Desk, id string) error {
	desk.DryRun = e.dryRun
	if err := e.act(desk, ctx, id, e.note); err != nil {
		return asFlag(err)
	}
	record, err := readRecord(ctx, desk, id)
	if err != nil {
		return err
	}
	return output.Write(f.streams.Out, e.format.Format, recordResult(record))
}
