package command

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/walletctl/walletctl/backfill"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/walletcore"
)

type brandsDocument struct {
	SchemaVersion int         `json:"schema_version"`
	Brands        []brandItem `json:"brands"`
}

type brandItem struct {
	Brand  string            `json:"brand"`
	State  string            `json:"state"`
	Frozen bool              `json:"frozen"`
	Steps  []openingStepItem `json:"steps"`
}

type openingStepItem struct {
	Was    string          `json:"was"`
	State  string          `json:"state"`
	At     time.Time       `json:"at"`
	By     string          `json:"by"`
	Host   string          `json:"host"`
	Note   string          `json:"note"`
	Totals json.RawMessage `json:"totals"` // of going live; else null
}

// list shows all brands, or one; a brand that nobody named is closed.
func (b *brandOpening) list(ctx context.Context, f *factory, pool *pgxpool.Pool) error {
	brands, err := backfill.Brands(ctx, pool)
	if err != nil {
		return err
	}
	if b.brand != "" {
		brands = only(brands, b.brand)
	}
	return output.Write(f.streams.Out, b.format.Format, brandsResult(brands))
}

func only(brands []backfill.Brand, id string) []backfill.Brand {
	for _, brand := range brands {
		if brand.ID == id {
			return []backfill.Brand{brand}
		}
	}
	return []backfill.Brand{{ID: id, State: walletcore.BrandClosed}}
}

func brandsResult(brands []backfill.Brand) output.Result {
	document := brandsDocument{SchemaVersion: 1, Brands: []brandItem{}}
	rows := output.Table{Columns: output.Columns("brand", "state", "frozen", "since", "by", "note")}
	for _, brand := range brands {
		item := brandItem{Brand: brand.ID, State: string(brand.State), Frozen: brand.Frozen, Steps: []openingStepItem{}}
		for _, c := range brand.Changes {
			item.Steps = append(item.Steps, openingStepItem{string(c.Was), string(c.State), c.At, c.Actor, c.Host, c.Note, c.Totals})
		}
		document.Brands = append(document.Brands, item)
		rows.Add(brandRow(&item)...)
	}
	return output.Result{JSON: document, CSV: rows}
}

// brandRow tells of the last step only.
func brandRow(b *brandItem) []string {
	frozen := ""
	if b.Frozen {
		frozen = "frozen"
	}
	row := []string{b.Brand, b.State, frozen, "", "", ""}
	if n := len(b.Steps); n > 0 {
		last := b.Steps[n-1]
		row[3], row[4], row[5] = instant(last.At), last.By, last.Note
	}
	return row
}
