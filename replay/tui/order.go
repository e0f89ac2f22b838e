package tui

import (
	"cmp"
	"slices"
	"strings"
)

// order is a way to sort.
type order struct {
	name    string
	compare func(a, b *row) int
}

// What waits longest, is greatest or was tried most comes first.
var orders = []order{
	{"age", byAge},
	{"amount", func(a, b *row) int { return b.item.Amount.Cmp(a.item.Amount) }},
	{"brand", func(a, b *row) int { return strings.Compare(a.brand, b.brand) }},
	{"attempts", func(a, b *row) int { return cmp.Compare(b.item.Attempts, a.item.Attempts) }},
	{"class", func(a, b *row) int { return strings.Compare(a.class, b.class) }},
}

func byAge(a, b *row) int { return a.item.Since.Compare(b.item.Since) }

func byCase(a, b *row) int {
	return cmp.Or(cmp.Compare(a.item.Case.Schema, b.item.Case.Schema), cmp.Compare(a.item.Case.Number, b.item.Case.Number))
}

// sortRows sorts by an order; what is equal stands by age, then by case, so
// that a refresh never shuffles.
func sortRows(rows []row, o order, reversed bool) {
	slices.SortFunc(rows, func(a, b row) int {
		c := o.compare(&a, &b)
		if reversed {
			c = -c
		}
		return cmp.Or(c, byAge(&a, &b), byCase(&a, &b))
	})
}
