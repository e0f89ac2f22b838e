package command

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/backfill/history"
	"github.com/walletctl/walletctl/cmd/internal/exit"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
)

func newBackfillRunCmd(f *factory) *cobra.Command {
	h := newHistorySource(f)
	var rate, writers int
	cmd := &cobra.Command{
		Use:   "run {FILE... | DIRECTORY | - | --from-query SQL}",
		Short: "Bring a history in, wallet by wallet",
		Long: `Bring a history in, wallet by wallet, below the entry that opened each.

Nobody's balance moves. A wallet whose history does not end exactly there is
refused as a whole, and the others go on: exit code 3. A source with rows that are
no movements is refused before anything is written. The brand's wallets have to be
in (backfill open); it may be live already.

Ctrl-C ends behind the batches that are under way. Whatever ended a run, the same
command goes on where it was, and ends as one run would have.`,
		Example: `  walletctl backfill run --brand acme --since 168h export/     # what may be sent again, before the brand is live
  walletctl backfill run --brand acme --until 2026-11-23T00:00:00Z export/`,
		Args: args(h.check),
		RunE: func(cmd *cobra.Command, paths []string) error {
			return h.withHistory(cmd.Context(), f, paths, func(ctx context.Context, pool *pgxpool.Pool, s settings, o history.Options) error {
				keys, err := openingKeys(s)
				if err != nil {
					return err
				}
				o.Rate, o.Writers = rate, writers
				result, err := history.Run(ctx, pool, keys, o)
				return h.tell(f, &result, err)
			})
		},
	}
	h.addFlags(cmd)
	cmd.Flags().IntVar(&rate, "rate", 0, "at most so many movements a second")
	cmd.Flags().IntVar(&writers, "writers", 0, "transactions at the same time (default 2)")
	return cmd
}

// tell shows what was done, also where the run was ended.
func (h *historySource) tell(f *factory, result *history.Result, err error) error {
	var partial *history.PartialError
	if err != nil && !errors.As(err, &partial) {
		return err
	}
	if written := output.Write(f.streams.Out, h.format.Format, runResult(result)); written != nil {
		return errors.Join(written, err)
	}
	switch {
	case err != nil && errors.Is(err, context.Canceled):
		return &statusError{code: exit.Interrupted, err: fmt.Errorf("%w; the same command goes on", err)}
	case err != nil:
		return &statusError{code: exit.Partly, err: fmt.Errorf("%w; the same command goes on", err)}
	case result.Refused > 0:
		return &statusError{code: exit.Partly, err: fmt.Errorf("%s wallets were refused", number(result.Refused))}
	}
	return nil
}

type runDocument struct {
	SchemaVersion int            `json:"schema_version"`
	Run           history.Result `json:"run"`
}

func runResult(r *history.Result) output.Result {
	var fields output.Fields
	fields.Add("brand", r.Import.Brand)
	fields.Add("import", r.Import.ID.String())
	fields.Add("source sha256", r.Import.Digest.String())
	addScanned(&fields, &r.Scanned)
	fields.Add("wallets written", number(r.Written))
	fields.Add("wallets done before", number(r.Skipped))
	fields.Add("wallets refused", number(r.Refused))
	fields.Add("rows written", number(r.Rows))
	fields.Add("rows identical", number(r.Left))
	fields.Add("rows under a taken key", number(r.Doubled))
	result := output.Result{JSON: runDocument{SchemaVersion: 1, Run: *r}, CSV: refusalTable(r.First)}
	result.Text = []output.Section{{Table: fields.Table()}}
	return withRefusals(result, r.First, r.Scanned.Bad)
}
