package command

import (
	"fmt"
	"strings"

	"github.com/walletctl/walletctl/chaincheck"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
)

// nagiosFindings is how many findings follow the first line; monitoring
// systems cut long outputs.
const nagiosFindings = 10

// nagios writes what a monitoring plugin prints: the state and one sentence,
// performance data behind a bar, then a few lines more.
func nagios(r *chaincheck.Report) string {
	state := map[chaincheck.Status]string{
		chaincheck.StatusClosed:  "OK",
		chaincheck.StatusWarning: "WARNING",
		chaincheck.StatusBroken:  "CRITICAL",
	}[r.Status]
	if state == "" {
		state = "UNKNOWN"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "CHAINCHECK %s - %s; %d wallets, %d entries | %s\n",
		state, plugin(verdictText(r)), r.WalletsChecked, r.EntriesChecked, performance(r))
	for i := range r.Findings[:min(len(r.Findings), nagiosFindings)] {
		f := &r.Findings[i]
		fmt.Fprintf(&b, "%s\n", plugin(fmt.Sprintf("%s wallet %s seq %d: expected %s, found %s", f.Kind, f.WalletID, f.Seq, f.Expected, f.Found)))
	}
	return b.String()
}

func performance(r *chaincheck.Report) string {
	data := fmt.Sprintf("wallets=%d entries=%dc findings=%d;;0 unread=%d duration=%dms",
		r.WalletsChecked, r.EntriesChecked, r.FindingsCount, r.UnreadCount, r.DurationMillis)
	if r.Replica.LagMillis >= 0 {
		data += fmt.Sprintf(" lag=%dms", r.Replica.LagMillis)
	}
	return data
}

// plugin keeps a text from being read as performance data.
func plugin(text string) string { return strings.ReplaceAll(output.Safe(text), "|", "/") }
