package history

import (
	"cmp"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/walletctl/walletctl/walletcore"
)

// Total is what the movements of one kind and currency come to, in amounts with
// 8 places.
type Total struct {
	Kind     string `json:"kind"`
	Currency string `json:"currency"`
	Count    int64  `json:"count"`
	Real     string `json:"real"`
	Bonus    string `json:"bonus"`
}

// plus adds two lists up, by kind, then currency. The amounts were written by
// this program or by PostgreSQL.
func plus(a, b []Total) []Total {
	if len(b) == 0 {
		return a
	}
	type key struct{ kind, currency string }
	sums := map[key]Total{}
	for _, t := range slices.Concat(a, b) {
		k := key{t.Kind, t.Currency}
		had := sums[k]
		sums[k] = Total{t.Kind, t.Currency, had.Count + t.Count, added(had.Real, t.Real), added(had.Bonus, t.Bonus)}
	}
	list := make([]Total, 0, len(sums))
	for _, t := range sums {
		list = append(list, t)
	}
	slices.SortFunc(list, func(a, b Total) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Currency, b.Currency))
	})
	return list
}

func added(a, b string) string {
	return parsed(a).Add(parsed(b)).StringFixed(walletcore.Places)
}

func parsed(text string) decimal.Decimal {
	d, _ := decimal.NewFromString(cmp.Or(text, "0"))
	return d
}
