package command

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/backfill/history"
	"github.com/walletctl/walletctl/cmd/internal/exit"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/walletcore/record"
)

func newBackfillPlanCmd(f *factory) *cobra.Command {
	h := newHistorySource(f)
	cmd := &cobra.Command{
		Use:   "plan {FILE... | DIRECTORY | - | --from-query SQL}",
		Short: "Read a history, write nothing, and say what a run would do",
		Long: `Read a history, write nothing, and say what a run would do.

Everything is read, sorted and judged against the ledger as a run would: rows a
kind, wallets that close and wallets that do not and by how much, duplicates, rows
without an id, rows that are no movements with file, line and field.

Exit code 3: a run would refuse part of it.`,
		Example: `  walletctl backfill plan --brand acme --mapping ledger-debit-credit export/
  zcat history.csv.gz | walletctl backfill plan --brand acme -`,
		Args: args(h.check),
		RunE: func(cmd *cobra.Command, paths []string) error {
			return h.withHistory(cmd.Context(), f, paths, func(ctx context.Context, pool *pgxpool.Pool, _ settings, o history.Options) error {
				plan, err := history.MakePlan(ctx, pool, o)
				if err != nil {
					return err
				}
				if err := output.Write(f.streams.Out, h.format.Format, historyPlanResult(&plan)); err != nil {
					return err
				}
				if !plan.Complete() {
					return &statusError{code: exit.Partly, err: fmt.Errorf("a run would refuse %s wallets; %s rows are no movements",
						number(plan.Refused), number(plan.Scanned.BadRows))}
				}
				return nil
			})
		},
	}
	h.addFlags(cmd)
	return cmd
}

type historyPlanDocument struct {
	SchemaVersion int          `json:"schema_version"`
	Plan          history.Plan `json:"plan"`
}

func historyPlanResult(p *history.Plan) output.Result {
	var fields output.Fields
	fields.Add("brand", p.Import.Brand)
	fields.Add("import", p.Import.ID.String())
	fields.Add("source sha256", p.Import.Digest.String())
	addScanned(&fields, &p.Scanned)
	fields.Add("wallets that close", number(p.Closes))
	fields.Add("wallets done", number(p.Done))
	fields.Add("wallets refused", number(p.Refused))
	fields.Add("rows identical", number(p.Identical))
	fields.Add("rows under a taken key", number(p.Doubled))
	fields.Add("a run takes about", (time.Duration(p.Seconds) * time.Second).String())
	result := output.Result{JSON: historyPlanDocument{SchemaVersion: 1, Plan: *p}, CSV: refusalTable(p.Refusals)}
	result.Text = []output.Section{{Table: fields.Table()}, {Title: "movements", Table: recordTotals(p.Scanned.Totals)}}
	return withRefusals(result, p.Refusals, p.Scanned.Bad)
}

func addScanned(fields *output.Fields, s *history.Scanned) {
	fields.Add("rows", number(s.Rows))
	fields.Add("of other brands", number(s.OtherBrand))
	fields.Add("out of range", number(s.OutOfRange))
	fields.Add("without an id", number(s.Unkeyed))
	fields.Add("no movements", number(s.BadRows))
	if !s.First.IsZero() {
		fields.Add("first", instant(s.First))
		fields.Add("last", instant(s.Last))
	}
}

func recordTotals(totals []record.Total) output.Table {
	table := output.Table{Columns: output.Columns("kind", "currency", ">count", ">real", ">bonus")}
	for _, t := range totals {
		table.Add(string(t.Kind), t.Currency, number(t.Count), t.Real.String(), t.Bonus.String())
	}
	return table
}

func refusalTable(refusals []history.Refusal) output.Table {
	table := output.Table{Columns: output.Columns("user", "currency", "reason", ">real_difference", ">bonus_difference", "position", "detail")}
	for i := range refusals {
		r := &refusals[i]
		table.Add(r.User, r.Currency, string(r.Reason), r.Real.String(), r.Bonus.String(), r.Position, r.Detail)
	}
	return table
}

// shownRefusals is how many a person is shown; JSON and CSV have more.
const shownRefusals = 20

func withRefusals(result output.Result, refusals []history.Refusal, bad []string) output.Result {
	if len(refusals) > 0 {
		result.Text = append(result.Text, output.Section{
			Title: "refused", Table: refusalTable(refusals[:min(len(refusals), shownRefusals)]),
		})
	}
	if len(bad) > 0 {
		table := output.Table{Columns: output.Columns("row")}
		for _, text := range bad[:min(len(bad), shownRefusals)] {
			table.Add(text)
		}
		result.Text = append(result.Text, output.Section{Title: "rows that are no movements", Table: table})
	}
	return result
}
