package command

import (
	"github.com/walletctl/walletctl/backfill"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/walletcore"
)

// openingOutcome is what is known of a brand and of one command over it.
type openingOutcome struct {
	brand            string
	state            walletcore.BrandState
	dryRun           bool
	begun            bool // the command took the brand from closed
	declared, inside backfill.Totals
	brought          backfill.Brought
	refusals         []*backfill.WalletError
}

type openingDocument struct {
	SchemaVersion int              `json:"schema_version"`
	Brand         string           `json:"brand"`
	State         string           `json:"state"`
	DryRun        bool             `json:"dry_run"`
	In            int64            `json:"in"`
	Present       int64            `json:"present"`
	Refused       int64            `json:"refused"`
	Refusals      []openingRefusal `json:"refusals"`
	Inside        []openingTotal   `json:"inside"`
	Declared      []openingTotal   `json:"declared"`
}

type openingRefusal struct {
	Position string `json:"position"`
	User     string `json:"user"`
	Currency string `json:"currency"`
	Reason   string `json:"reason"`
}

type openingTotal struct {
	Currency string `json:"currency"`
	Wallets  int64  `json:"wallets"` // -1: nobody counted
	Real     string `json:"real"`
	Bonus    string `json:"bonus"`
}

// preview is what a person sees before they confirm.
func (o *openingOutcome) preview() output.Result {
	fields := output.Fields{}
	fields.Add("brand", o.brand)
	fields.Add("state", string(o.state))
	return output.Result{Text: append([]output.Section{{Table: fields.Table()}}, o.totals()...)}
}

func (o *openingOutcome) totals() []output.Section {
	var sections []output.Section
	for _, s := range []struct {
		title  string
		totals backfill.Totals
	}{{"declared", o.declared}, {"inside", o.inside}} {
		if len(s.totals) > 0 {
			sections = append(sections, output.Section{Title: s.title, Table: totalsTable(s.totals)})
		}
	}
	return sections
}

func totalsTable(totals backfill.Totals) output.Table {
	table := output.Table{Columns: output.Columns("currency", ">wallets", ">real", ">bonus")}
	for _, t := range openingTotals(totals) {
		wallets := ""
		if t.Wallets >= 0 {
			wallets = number(t.Wallets)
		}
		table.Add(t.Currency, wallets, t.Real, t.Bonus)
	}
	return table
}

func openingTotals(totals backfill.Totals) []openingTotal {
	list := []openingTotal{}
	for _, t := range totals {
		list = append(list, openingTotal{
			t.Currency, t.Wallets, t.Real.StringFixed(walletcore.Places), t.Bonus.StringFixed(walletcore.Places),
		})
	}
	return list
}

func (o *openingOutcome) result() output.Result {
	document := openingDocument{
		SchemaVersion: 1, Brand: o.brand, State: string(o.state), DryRun: o.dryRun,
		In: o.brought.In, Present: o.brought.Present, Refused: o.brought.Refused, Refusals: []openingRefusal{},
		Inside: openingTotals(o.inside), Declared: openingTotals(o.declared),
	}
	refused := output.Table{Columns: output.Columns("position", "user", "currency", "reason")}
	for _, r := range o.refusals {
		document.Refusals = append(document.Refusals, openingRefusal{r.Position, r.Wallet.User, r.Wallet.Currency, r.Err.Error()})
		refused.Add(r.Position, r.Wallet.User, r.Wallet.Currency, r.Err.Error())
	}
	text := append([]output.Section{{Table: o.fields()}}, o.totals()...)
	if len(o.refusals) > 0 {
		text = append(text, output.Section{Title: "refused", Table: refused})
	}
	return output.Result{JSON: document, CSV: refused, Text: text}
}

func (o *openingOutcome) fields() output.Table {
	fields := output.Fields{}
	fields.Add("brand", o.brand)
	fields.Add("state", string(o.state))
	in := "came_in"
	if o.dryRun {
		in = "would_come_in"
	}
	fields.Add(in, number(o.brought.In))
	fields.Add("were_in", number(o.brought.Present))
	fields.Add("refused", number(o.brought.Refused))
	return fields.Table()
}
