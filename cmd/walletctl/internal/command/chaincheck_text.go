package command

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/walletctl/walletctl/chaincheck"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
)

func chaincheckResult(f *factory, r *chaincheck.Report) output.Result {
	return output.Result{
		JSON:   r,
		CSV:    findingTable(r.Findings),
		Text:   chaincheckText(r, f.streams.Color),
		Nagios: nagios(r),
	}
}

func chaincheckText(r *chaincheck.Report, color bool) []output.Section {
	sections := []output.Section{{Title: verdictLine(r, color)}, {Table: reportFields(r)}}
	if len(r.Findings) > 0 {
		sections = append(sections, output.Section{Table: shortFindings(r.Findings)})
	}
	if r.FindingsOmitted > 0 {
		sections = append(sections, output.Section{Title: fmt.Sprintf("%d more findings are not listed.", r.FindingsOmitted)})
	}
	if table := remarkTable(r); len(table.Rows) > 0 {
		sections = append(sections, output.Section{Table: table})
	}
	return sections
}

func verdictLine(r *chaincheck.Report, color bool) string {
	return paint(r.Status, color) + ": " + output.Safe(verdictText(r))
}

// verdictText says the verdict in one sentence.
func verdictText(r *chaincheck.Report) string {
	switch r.Status {
	case chaincheck.StatusClosed:
		return "every chain is closed"
	case chaincheck.StatusWarning:
		return "closed as far as could be seen: " + firstWarning(r)
	case chaincheck.StatusBroken:
		return fmt.Sprintf("%d broken wallets, %d findings, in doubt %s", r.WalletsBroken, r.FindingsCount, money(r.MoneyInDoubt))
	}
	return "could not tell: " + unknownReason(r)
}

func firstWarning(r *chaincheck.Report) string {
	if len(r.Warnings) == 0 {
		return "see the warnings"
	}
	text := r.Warnings[0].Text
	if more := len(r.Warnings) - 1; more > 0 {
		text += fmt.Sprintf(" (and %d more)", more)
	}
	return text
}

func unknownReason(r *chaincheck.Report) string {
	switch {
	case r.Error != "":
		return r.Error
	case r.UnreadCount > 0:
		return fmt.Sprintf("%d parts could not be read", r.UnreadCount)
	}
	return firstWarning(r)
}

// money lists amounts by currency: "12.00000000 EUR, 3.00000000 USD".
func money(byCurrency map[string]string) string {
	var parts []string
	for _, currency := range slices.Sorted(maps.Keys(byCurrency)) {
		parts = append(parts, byCurrency[currency]+" "+currency)
	}
	if len(parts) == 0 {
		return "no money"
	}
	return strings.Join(parts, ", ")
}

func reportFields(r *chaincheck.Report) output.Table {
	var fields output.Fields
	fields.Add("mode", string(r.Mode))
	fields.Add("brand", r.Brand)
	fields.Add("wallet", r.Wallet)
	fields.Add("window", window(r))
	fields.Add("wallets checked", number(r.WalletsChecked))
	fields.Add("entries checked", number(r.EntriesChecked))
	fields.Add("hashes verified", number(r.HashesVerified))
	fields.Add("replica", replica(&r.Replica))
	fields.Add("checkpoint", checkpoint(&r.Checkpoint))
	fields.Add("took", (time.Duration(r.DurationMillis) * time.Millisecond).String())
	return fields.Table()
}

func window(r *chaincheck.Report) string {
	if r.WindowStart.IsZero() {
		return ""
	}
	return instant(r.WindowStart) + " to " + instant(r.WindowEnd)
}

func replica(s *chaincheck.Replica) string {
	switch {
	case s.LagMillis < 0:
		return strings.TrimSuffix("lag not known: "+s.Detail, ": ")
	case !s.InRecovery:
		return "none: the primary was read"
	case !s.Connected:
		return "not connected: " + s.Detail
	}
	return "behind by " + s.Lag().String()
}

func checkpoint(c *chaincheck.CheckpointState) string {
	switch {
	case c.Path == "":
		return "none: entries cut off the end cannot be seen (--state)"
	case c.Advanced:
		return fmt.Sprintf("%s, %d wallets, moved forward", c.Path, c.Wallets)
	case c.Used:
		return fmt.Sprintf("%s, %d wallets, compared, not moved forward", c.Path, c.Wallets)
	}
	return c.Path + ", not written"
}

func number(n int64) string { return strconv.FormatInt(n, 10) }
