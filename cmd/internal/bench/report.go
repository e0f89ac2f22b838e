package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// Report is what one run measured, and on what.
type Report struct {
	// Machine describes what the figures were measured on, a sentence a line.
	Machine []string
	Figures []Figure
}

// WriteJSON writes the figures as an array.
func (r *Report) WriteJSON(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(r.Figures)
}

// WriteTable writes the figures for a terminal.
func (r *Report) WriteTable(w io.Writer) error {
	return r.render(tablewriter.NewTable(w, alignment()))
}

// WriteMarkdown writes the page docs/benchmarks.md.
func (r *Report) WriteMarkdown(w io.Writer) error {
	if _, err := io.WriteString(w, intro); err != nil {
		return err
	}
	for _, line := range r.Machine {
		if _, err := fmt.Fprintf(w, "- %s\n", line); err != nil {
			return err
		}
	}
	if _, err := io.WriteString(w, "\n"); err != nil {
		return err
	}
	return r.render(tablewriter.NewTable(w, alignment(), tablewriter.WithRenderer(renderer.NewMarkdown())))
}

const intro = `# Benchmarks

Written by ` + "`make bench`" + `. Ours and its limits run in turn on the same servers, each round beginning with
another one; figures are medians over the rounds, a ratio is the median of the rounds' ratios, and the spread
is how far these lie apart, as a part of the median. Everything of ours runs with all guarantees on: as the
role of the service, checks and triggers, keyed hashes, fsync and synchronous commit. The limits have none of
these: the scripts are in ` + "`deploy/bench.d`" + `.

`

func (r *Report) render(table *tablewriter.Table) error {
	table.Header("measured", "limit", "unit", "ours", "limit", "ratio", "goal", "", "spread")
	for i := range r.Figures {
		if err := table.Append(r.Figures[i].cells()); err != nil {
			return err
		}
	}
	return table.Render()
}

func (f *Figure) cells() []string {
	goal := ""
	if f.Goal != 0 {
		goal = strconv.FormatFloat(f.Goal, 'f', 2, 64)
	}
	return []string{
		f.Name, f.LimitName, f.Unit, whole(f.Ours), whole(f.Limit),
		strconv.FormatFloat(f.Ratio, 'f', 2, 64), goal, f.Verdict(),
		strconv.FormatFloat(100*f.Spread, 'f', 0, 64) + " %",
	}
}

func whole(figure float64) string { return Grouped(int(math.Round(figure))) }

// Grouped writes a count with its digits in groups of three.
func Grouped(n int) string {
	digits := strconv.Itoa(n)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

func alignment() tablewriter.Option {
	l, r := tw.AlignLeft, tw.AlignRight
	cell := tw.CellConfig{
		Formatting: tw.CellFormatting{AutoFormat: tw.Off, AutoWrap: tw.WrapNone},
		Alignment:  tw.CellAlignment{PerColumn: []tw.Align{l, l, l, r, r, r, r, l, r}},
	}
	return tablewriter.WithConfig(tablewriter.Config{Header: cell, Row: cell})
}
