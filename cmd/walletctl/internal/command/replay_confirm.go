package command

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/replay"
)

// choose lists what is stuck, shows how many and how much it is, and has it
// confirmed.
func (r *replayFlags) choose(ctx context.Context, f *factory, desk *oncallDesk) ([]replay.Subject, error) {
	items, err := desk.Stuck(ctx, r.stuck.filter())
	if err != nil || len(items) == 0 {
		return nil, tryOncall(err)
	}
	if err := output.Write(f.streams.Err, output.FormatTable, output.Result{CSV: stuckSummary(items)}); err != nil {
		return nil, err
	}
	if !r.dryRun {
		if err := r.ask(ctx, f, sumOf(items)); err != nil {
			return nil, err
		}
	}
	subjects := make([]replay.Subject, 0, len(items))
	seen := map[replay.Subject]bool{} // one may have two cases
	for i := range items {
		if s := items[i].Subject; !seen[s] {
			seen[s] = true
			subjects = append(subjects, s)
		}
	}
	return subjects, nil
}

// stuckSummary counts by what it is stuck in.
func stuckSummary(items []replay.Item) output.Table {
	type group struct{ kind, currency string }
	counts, sums := map[group]int{}, map[group]decimal.Decimal{}
	for i := range items {
		g := group{items[i].Kind, items[i].Currency}
		counts[g]++
		sums[g] = sums[g].Add(items[i].Amount.Decimal())
	}
	table := output.Table{Columns: output.Columns("kind", ">items", ">sum", "currency")}
	for _, g := range slices.SortedFunc(maps.Keys(counts), func(a, b group) int {
		return strings.Compare(a.kind+a.currency, b.kind+b.currency)
	}) {
		table.Add(g.kind, strconv.Itoa(counts[g]), sums[g].StringFixed(2), g.currency)
	}
	table.Add("all", strconv.Itoa(len(items)), sumOf(items).String(), "")
	return table
}

// replaySum is how much would be sent, by currency. Effects are no money and
// are counted.
type replaySum map[string]decimal.Decimal

const effectsUnit = "effects"

func sumOf(items []replay.Item) replaySum {
	sum := replaySum{}
	for i := range items {
		if items[i].Subject.Type == replay.Effect {
			sum[effectsUnit] = sum[effectsUnit].Add(decimal.New(1, 0))
			continue
		}
		sum[items[i].Currency] = sum[items[i].Currency].Add(items[i].Amount.Decimal())
	}
	return sum
}

// String is the text to type: "1250.00 EUR, 3 effects".
func (s replaySum) String() string {
	var parts []string
	for _, unit := range slices.Sorted(maps.Keys(s)) {
		amount := s[unit].String()
		if unit != effectsUnit && s[unit].Exponent() > -2 || unit != effectsUnit && s[unit].Equal(s[unit].Truncate(2)) {
			amount = s[unit].StringFixed(2)
		}
		parts = append(parts, amount+" "+unit)
	}
	return strings.Join(parts, ", ")
}

// parseReplaySum reads such a text.
func parseReplaySum(text string) (replaySum, bool) {
	sum := replaySum{}
	for part := range strings.SplitSeq(text, ",") {
		amount, unit, found := strings.Cut(strings.TrimSpace(part), " ")
		value, err := decimal.NewFromString(amount)
		if !found || err != nil || len(amount) > 40 || strings.ContainsAny(amount, "eE") {
			return nil, false
		}
		unit = strings.TrimSpace(unit)
		sum[unit] = sum[unit].Add(value)
	}
	return sum, true
}

// covers reports whether what was agreed to is enough for what would be sent.
func (s replaySum) covers(needed replaySum) bool {
	for unit, amount := range needed {
		if s[unit].LessThan(amount) {
			return false
		}
	}
	return true
}

// ask has the sum confirmed; anything but it is no.
func (r *replayFlags) ask(ctx context.Context, f *factory, needed replaySum) error {
	text, from := r.confirm, "--confirm"
	if text == "" {
		if !f.canAsk() {
			return usagef(fmt.Sprintf("add --confirm '%s'", needed), "there is no terminal to ask on")
		}
		fmt.Fprintf(f.streams.Err, "\nType %s to send it again: ", output.Safe(needed.String()))
		typed, err := f.answer(ctx)
		if err != nil {
			return err
		}
		text, from = typed, "the answer"
	}
	if agreed, ok := parseReplaySum(text); ok && agreed.covers(needed) {
		return nil
	}
	return usagef(fmt.Sprintf("type or --confirm '%s'", needed), "not confirmed, nothing was sent: %s does not cover %s", from, needed)
}
