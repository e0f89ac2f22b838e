package tui

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/walletctl/walletctl/replay"
	"github.com/walletctl/walletctl/walletcore"
)

// amountText writes an amount for people: digits in groups, and no more places
// than the currency has, unless the amount does.
func amountText(amount decimal.Decimal, currency string) string {
	text := amount.StringFixed(walletcore.Places)
	sign, text := text[:len(text)-len(strings.TrimPrefix(text, "-"))], strings.TrimPrefix(text, "-")
	whole, fraction, _ := strings.Cut(text, ".")
	for len(fraction) > walletcore.MinorUnits(currency) && strings.HasSuffix(fraction, "0") {
		fraction = fraction[:len(fraction)-1]
	}
	if walletcore.MinorUnits(currency) == walletcore.Places {
		fraction = strings.TrimRight(fraction, "0")
	}
	text = sign + grouped(whole)
	if fraction != "" {
		text += "." + fraction
	}
	return text
}

// grouped puts a comma after each thousand.
func grouped(digits string) string {
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

func count(n int) string { return grouped(strconv.Itoa(n)) }

// counted writes "1 row" and "1,200 rows".
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return count(n) + " " + what + "s"
}

// tally adds up the money of items by currency, each deposit and withdrawal
// once, whatever is open about it. An effect moves no money. Decimals cannot
// overflow, as many as there may be.
type tally struct {
	sums map[string]decimal.Decimal
	seen map[replay.Subject]bool
}

func newTally() tally {
	return tally{sums: map[string]decimal.Decimal{}, seen: map[replay.Subject]bool{}}
}

func (t *tally) add(i *replay.Item) {
	if i.Subject.Type == replay.Effect || i.Currency == "" || t.seen[i.Subject] {
		return
	}
	t.seen[i.Subject] = true
	t.sums[i.Currency] = t.sums[i.Currency].Add(i.Amount.Decimal())
}

// String lists the sums: "EUR 4,210.00, USD 12.00".
func (t *tally) String() string {
	var parts []string
	for _, currency := range slices.Sorted(maps.Keys(t.sums)) {
		parts = append(parts, safe(currency)+" "+amountText(t.sums[currency], currency))
	}
	return strings.Join(parts, ", ")
}
