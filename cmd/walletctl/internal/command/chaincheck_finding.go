package command

import (
	"strconv"
	"strings"

	"github.com/walletctl/walletctl/chaincheck"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
)

func findingTable(findings []chaincheck.Finding) output.Table {
	table := output.Table{Columns: output.Columns(
		"wallet_id", "brand", "user", "currency", ">seq", "kind", ">expected", ">found", ">difference", "detail")}
	for _, f := range findings {
		table.Add(f.WalletID.String(), f.Brand, f.User, f.Currency, strconv.FormatInt(f.Seq, 10), string(f.Kind),
			f.Expected, f.Found, f.Difference, f.Detail)
	}
	return table
}

// shortFindings is the table for people: of a hash its beginning, which tells
// two apart.
func shortFindings(findings []chaincheck.Finding) output.Table {
	table := findingTable(findings)
	for _, row := range table.Rows {
		row[6], row[7] = abbreviated(row[6]), abbreviated(row[7])
	}
	return table
}

func abbreviated(value string) string {
	const whole, most = 12, 24
	if len(value) > most && !strings.Contains(value, " ") {
		return value[:whole] + "…"
	}
	return value
}

// remarkTable lists what a reader of the verdict has to know besides.
func remarkTable(r *chaincheck.Report) output.Table {
	table := output.Table{Columns: output.Columns("remark", "code", "text")}
	for _, w := range r.Warnings {
		table.Add("warning", string(w.Code), w.Text)
	}
	for _, u := range r.Unread {
		table.Add("unread", u.Part, u.From.String()+" to "+u.To.String()+": "+u.Reason)
	}
	if omitted := r.UnreadCount - int64(len(r.Unread)); omitted > 0 {
		table.Add("unread", "", strconv.FormatInt(omitted, 10)+" more parts")
	}
	for _, note := range r.Notes {
		table.Add("note", "", note)
	}
	return table
}

// paint writes the verdict, coloured for people who look at a terminal.
func paint(status chaincheck.Status, color bool) string {
	words := map[chaincheck.Status][2]string{
		chaincheck.StatusClosed:  {"CLOSED", "32"},
		chaincheck.StatusWarning: {"WARNING", "33"},
		chaincheck.StatusBroken:  {"BROKEN", "31"},
	}
	word, known := words[status]
	if !known {
		word = [2]string{"UNKNOWN", "35"}
	}
	if !color {
		return word[0]
	}
	return "\x1b[1;" + word[1] + "m" + word[0] + "\x1b[0m"
}
