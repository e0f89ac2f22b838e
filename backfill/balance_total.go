package backfill

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/walletctl/walletctl/walletcore"
)

// Total is what all wallets of a brand hold in one currency. Sums may be larger
// than any balance.
type Total struct {
	Currency string          `json:"currency"`
	Wallets  int64           `json:"wallets"` // declared: below 0 where nobody counted
	Real     decimal.Decimal `json:"real"`
	Bonus    decimal.Decimal `json:"bonus"`
}

// Totals are in the order of their currencies, each of which is there once.
type Totals []Total

// Difference is a currency in which a brand does not hold what was declared.
// Where one side has none of it, its wallets and sums are zero.
type Difference struct {
	Inside, Declared Total
}

func (d *Difference) String() string {
	text := fmt.Sprintf("%s holds real %s and bonus %s, declared %s and %s", d.Inside.Currency,
		places(d.Inside.Real), places(d.Inside.Bonus), places(d.Declared.Real), places(d.Declared.Bonus))
	if d.Declared.Wallets >= 0 {
		text += fmt.Sprintf(" (%d wallets, declared %d)", d.Inside.Wallets, d.Declared.Wallets)
	}
	return text
}

// Compare returns where what is inside differs from what was declared.
func (t Totals) Compare(declared Totals) []Difference {
	var differences []Difference
	for _, currency := range currencies(t, declared) {
		d := Difference{Inside: t.of(currency), Declared: declared.of(currency)}
		if !d.Inside.equal(d.Declared) {
			differences = append(differences, d)
		}
	}
	return differences
}

func currencies(all ...Totals) []string {
	var names []string
	for _, totals := range all {
		for _, total := range totals {
			names = append(names, total.Currency)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (t Totals) of(currency string) Total {
	for _, total := range t {
		if total.Currency == currency {
			return total
		}
	}
	return Total{Currency: currency}
}

func (t Total) equal(declared Total) bool {
	return t.Real.Equal(declared.Real) && t.Bonus.Equal(declared.Bonus) &&
		(declared.Wallets < 0 || declared.Wallets == t.Wallets)
}

func places(d decimal.Decimal) string { return d.StringFixed(walletcore.Places) }

// sums adds up by currency.
type sums map[string]*Total

func newSums() sums { return sums{} }

func (s sums) add(b *Balance) {
	total := s[b.Currency]
	if total == nil {
		total = &Total{Currency: b.Currency}
		s[b.Currency] = total
	}
	total.Wallets++
	total.Real, total.Bonus = total.Real.Add(b.Real.Decimal()), total.Bonus.Add(b.Bonus.Decimal())
}

func (s sums) totals() Totals {
	totals := make(Totals, 0, len(s))
	for _, total := range s {
		totals = append(totals, *total)
	}
	slices.SortFunc(totals, func(a, b Total) int { return cmp.Compare(a.Currency, b.Currency) })
	return totals
}
