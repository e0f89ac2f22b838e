package history

import (
	"cmp"
	"slices"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/record"
)

// totals count movements and add them up, by kind and currency.
type totals struct {
	all  map[totalKey]*record.Total
	last *record.Total // most rows are like the row before
}

type totalKey struct {
	kind     walletcore.Kind
	currency string
}

func (t *totals) add(kind walletcore.Kind, currency string, real, bonus walletcore.Money) {
	if t.last == nil || t.last.Kind != kind || t.last.Currency != currency {
		t.last = t.of(totalKey{kind, currency})
	}
	t.last.Count++
	t.last.Real.Add(real)
	t.last.Bonus.Add(bonus)
}

func (t *totals) of(key totalKey) *record.Total {
	if t.all == nil {
		t.all = map[totalKey]*record.Total{}
	}
	if t.all[key] == nil {
		t.all[key] = &record.Total{Kind: key.kind, Currency: key.currency}
	}
	return t.all[key]
}

// merge adds what another has counted.
func (t *totals) merge(other *totals) {
	for key, more := range other.all {
		total := t.of(key)
		total.Count += more.Count
		total.Real.Merge(more.Real)
		total.Bonus.Merge(more.Bonus)
	}
}

// list returns them by kind, then currency.
func (t *totals) list() []record.Total {
	list := []record.Total{}
	for _, total := range t.all {
		list = append(list, *total)
	}
	slices.SortFunc(list, func(a, b record.Total) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Currency, b.Currency))
	})
	return list
}
