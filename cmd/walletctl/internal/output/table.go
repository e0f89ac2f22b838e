package output

import (
	"encoding/csv"
	"io"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// Column is a column of a table: its name in CSV (snake_case), which the table
// shows in capitals, and whether it holds numbers, which stand right-aligned.
type Column struct {
	Name  string
	Right bool
}

// Table is a result as rows. Cells may hold anything; they are made safe when
// they are written.
type Table struct {
	Columns []Column
	Rows    [][]string
}

// Columns makes columns from their names; a name that begins with ">" is
// right-aligned.
func Columns(names ...string) []Column {
	columns := make([]Column, len(names))
	for i, name := range names {
		plain, right := strings.CutPrefix(name, ">")
		columns[i] = Column{Name: plain, Right: right}
	}
	return columns
}

// Add appends a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

func (t *Table) writeText(w io.Writer) error {
	var text strings.Builder
	table := tablewriter.NewTable(&text, plain(t.Columns)...)
	table.Header(t.titles())
	for _, row := range t.Rows {
		if err := table.Append(safeRow(row)); err != nil {
			return err
		}
	}
	if err := table.Render(); err != nil {
		return err
	}
	for line := range strings.Lines(text.String()) {
		if _, err := io.WriteString(w, strings.TrimRight(line, " \n")+"\n"); err != nil {
			return err
		}
	}
	return nil
}

func (t *Table) writeCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	header := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		header[i] = c.Name
	}
	if err := out.Write(header); err != nil {
		return err
	}
	for _, row := range t.Rows {
		if err := out.Write(safeRow(row)); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func (t *Table) titles() []string {
	titles := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		titles[i] = strings.ToUpper(strings.ReplaceAll(c.Name, "_", " "))
	}
	return titles
}

func safeRow(row []string) []string {
	safe := make([]string, len(row))
	for i, cell := range row {
		safe[i] = Safe(cell)
	}
	return safe
}

// plain is a table without lines: columns two blanks apart, nothing wrapped,
// nothing renamed.
func plain(columns []Column) []tablewriter.Option {
	align := make([]tw.Align, len(columns))
	for i, c := range columns {
		align[i] = tw.AlignLeft
		if c.Right {
			align[i] = tw.AlignRight
		}
	}
	cell := tw.CellConfig{
		Formatting: tw.CellFormatting{AutoFormat: tw.Off, AutoWrap: tw.WrapNone},
		Alignment:  tw.CellAlignment{PerColumn: align},
		Padding:    tw.CellPadding{Global: tw.Padding{Right: "  ", Overwrite: true}},
	}
	return []tablewriter.Option{
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders:  tw.BorderNone,
			Symbols:  tw.NewSymbols(tw.StyleNone),
			Settings: tw.Settings{Lines: tw.LinesNone, Separators: tw.SeparatorsNone},
		})),
		tablewriter.WithConfig(tablewriter.Config{
			Header: cell, Row: cell, Behavior: tw.Behavior{TrimSpace: tw.Off},
		}),
	}
}
