package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/walletctl/walletctl/backfill/history"
	"github.com/walletctl/walletctl/cmd/internal/exit"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
)

func newBackfillVerifyCmd(f *factory) *cobra.Command {
	format := output.NewChoice()
	var brand, report string
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Prove a brand's history: its chain, its join to today, and its sources",
		Long: `Prove a brand's history: every chain from its first movement up to the entry that
opened the live one, hashes included; the seals that the live chains hold; and rows
and sums of each import against its source.

Exit code 2: something is broken or missing. It needs LEDGER_KEYS_FILE: without it
hashes are not verified, and nothing is proved.`,
		Example: "  walletctl backfill verify --brand acme --report acme-history.json",
		Args:    args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := f.settings()
			if err != nil {
				return err
			}
			keys, err := openingKeys(s)
			if err != nil {
				return err
			}
			pool, err := f.open(cmd.Context(), s, "GAMING_DATABASE_URL", s.GamingURL, 1)
			if err != nil {
				return err
			}
			defer pool.Close()
			r, err := history.Verify(cmd.Context(), pool, keys, brand)
			if err != nil {
				return err
			}
			return tellProof(f, format.Format, report, &r)
		},
	}
	cmd.Flags().StringVar(&brand, "brand", "", "whose history")
	cmd.Flags().StringVar(&report, "report", "", "also write the proof to this `file`, as JSON")
	_ = cmd.MarkFlagRequired("brand")
	addOutput(cmd, format)
	return cmd
}

type proofDocument struct {
	SchemaVersion int            `json:"schema_version"`
	Proved        bool           `json:"proved"`
	History       history.Report `json:"history"`
}

func tellProof(f *factory, format output.Format, path string, r *history.Report) error {
	document := proofDocument{SchemaVersion: 1, Proved: r.Proved(), History: *r}
	if path != "" {
		text, err := json.MarshalIndent(document, "", "  ")
		if err == nil {
			err = os.WriteFile(path, append(text, '\n'), 0o600)
		}
		if err != nil {
			return fmt.Errorf("write the report: %w", err)
		}
	}
	if err := output.Write(f.streams.Out, format, proofResult(document)); err != nil {
		return err
	}
	if !document.Proved {
		return &statusError{code: exit.Broken, err: errors.New("the history is not proved")}
	}
	return nil
}

func proofResult(d proofDocument) output.Result {
	r := &d.History
	var fields output.Fields
	fields.Add("brand", r.Brand)
	fields.Add("wallets", number(r.Wallets))
	fields.Add("from their first movement", number(r.Whole))
	fields.Add("from some time on", number(r.Partly))
	fields.Add("without history", number(r.Without))
	fields.Add("movements", number(r.Entries))
	fields.Add("first", instantOrNone(r.First))
	fields.Add("last", instantOrNone(r.Last))
	fields.Add("hashes verified", number(r.Chain.Verified))
	fields.Add("hashes not verified", number(r.Chain.Unverified))
	title := "PROVED: the history is closed, joined to today, and what its sources held\n"
	if !d.Proved {
		title = "NOT PROVED\n"
	}
	result := output.Result{JSON: d, CSV: breakTable(r)}
	result.Text = []output.Section{{Title: title, Table: fields.Table()}, {Title: "imports", Table: importTable(r)}, {Title: "movements", Table: totalTable(r.Totals)}}
	if len(r.Chain.Findings) > 0 {
		result.Text = append(result.Text, output.Section{Title: "breaks", Table: breakTable(r)})
	}
	return result
}

func importTable(r *history.Report) output.Table {
	table := output.Table{Columns: output.Columns("import", "mapping", "source_sha256", "ended", "agrees", ">refused")}
	for i := range r.Imports {
		p := &r.Imports[i]
		table.Add(p.ID.String(), p.Mapping, p.Digest.String(), yesNo(p.Ended), yesNo(p.Agrees), number(p.Refused))
	}
	return table
}

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

func totalTable(totals []history.Total) output.Table {
	table := output.Table{Columns: output.Columns("kind", "currency", ">count", ">real", ">bonus")}
	for _, t := range totals {
		table.Add(t.Kind, t.Currency, number(t.Count), t.Real, t.Bonus)
	}
	return table
}

func breakTable(r *history.Report) output.Table {
	table := output.Table{Columns: output.Columns("user", "currency", ">seq", "kind", "expected", "found", "detail")}
	for i := range r.Chain.Findings {
		b := &r.Chain.Findings[i]
		table.Add(b.User, b.Currency, fmt.Sprint(b.Seq), string(b.Kind), b.Expected, b.Found, b.Detail)
	}
	return table
}
