package tui

import (
	"maps"
	"slices"
	"strings"

	"github.com/walletctl/walletctl/replay"
)

// effectOfReplay says what sending items again would do: what is sent, how
// much, where to, and what keeps it from being paid twice.
func effectOfReplay(items []replay.Item, hidden int) []string {
	lines := append(whatIsSent(items), walletsOf(items)...)
	lines = append(lines, "Each works again under its own id: what gaming has already is answered with its first "+
		"receipt and moves nothing; what was given back or charged back is refused.")
	return append(lines, leftOut(hidden)...)
}

func leftOut(hidden int) []string {
	if hidden == 0 {
		return nil
	}
	return []string{"Left out: " + counted(hidden, "selected row") + " that search or filter hide."}
}

// sendings is what the step of a case sends, in the order to show.
var sendings = []struct{ step, what string }{
	{"debit", "debit of a withdrawal"},
	{"payout", "request for a payout"},
	{"reversal", "return of a debit"},
	{"effect", "effect, which moves no money"},
	{"", "credit of a deposit"},
}

func whatIsSent(items []replay.Item) []string {
	groups := make([]struct {
		subjects map[replay.Subject]bool
		total    tally
	}, len(sendings))
	for i := range items {
		for s := range sendings {
			if strings.HasPrefix(items[i].Kind, sendings[s].step) {
				if g := &groups[s]; g.subjects == nil {
					g.subjects, g.total = map[replay.Subject]bool{}, newTally()
				}
				groups[s].subjects[items[i].Subject] = true
				groups[s].total.add(&items[i])
				break
			}
		}
	}
	var lines []string
	for s := range slices.Backward(groups) {
		if n := len(groups[s].subjects); n > 0 {
			line := count(n) + " x " + sendings[s].what
			if total := groups[s].total.String(); total != "" {
				line += ": " + total
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// walletsOf names the wallets of items, as many as fit a glance.
func walletsOf(items []replay.Item) []string {
	const most = 4
	seen := map[string]bool{}
	for i := range items {
		if item := &items[i]; item.User != "" && item.Subject.Type != replay.Effect {
			seen[safe(item.Brand)+" "+safe(item.User)+" "+safe(item.Currency)] = true
		}
	}
	if len(seen) == 0 {
		return nil
	}
	names := slices.Sorted(maps.Keys(seen))
	text := strings.Join(names[:min(most, len(names))], ", ")
	if more := len(names) - most; more > 0 {
		text += " and " + count(more) + " more"
	}
	if len(names) == 1 {
		return []string{"Wallet: " + text}
	}
	return []string{"Wallets: " + text}
}
