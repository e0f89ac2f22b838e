package record

import (
	"maps"
	"slices"
	"strconv"
)

// footerLayout is a FooterRow with its columns in place.
type footerLayout struct {
	FooterRow
	column, currency, count cell
	sums                    []footerSum
}

type footerSum struct {
	name      string // of the column with the sum
	of, stand cell
}

func (f FooterRow) layout(place func(string) cell) footerLayout {
	l := footerLayout{FooterRow: f, column: place(f.Column), currency: place(f.Currency), count: place(f.Count)}
	for _, of := range slices.Sorted(maps.Keys(f.Sums)) {
		name := f.Sums[of]
		l.sums = append(l.sums, footerSum{name: name, of: place(of), stand: place(name)})
	}
	return l
}

// footing adds up the rows of one file and compares its footer rows with them.
type footing struct {
	footer   *Footer
	decoder  *decoder
	counted  []map[string]*counted // by footer row, then currency
	unread   int64                 // rows that could not be counted
	began    bool                  // the separator or a footer row came
	complete []map[string]bool     // which came
}

// counted is what the rows of one currency, or all, make.
type counted struct {
	rows int64
	sums []Sum
}

func newFooting(m *Mapping, d *decoder) *footing {
	f := &footing{footer: m.Footer, decoder: d}
	for range d.footers {
		f.counted = append(f.counted, map[string]*counted{})
		f.complete = append(f.complete, map[string]bool{})
	}
	return f
}

// take reports whether r belongs to the footer, and compares it.
func (f *footing) take(r *row) (bool, error) {
	if f.footer == nil {
		return false, nil
	}
	if f.footer.Separator && !f.began && r.blank() {
		f.began = true
		return true, nil
	}
	for i, footer := range f.decoder.footers {
		if footer.holds(r) && (f.began || !f.footer.Separator) {
			f.began = true
			return true, f.compare(i, footer, r)
		}
	}
	if f.began {
		return true, ErrAfterFooter
	}
	return false, nil
}

// holds reports whether r is this footer row.
func (l footerLayout) holds(r *row) bool {
	return l.column.index < len(r.values) && r.values[l.column.index] == l.Equals
}

func (f *footing) compare(i int, footer footerLayout, r *row) error {
	currency, err := at(footer.currency, r)
	if err != nil {
		return err
	}
	if f.complete[i][currency] {
		return ErrFooterTwice
	}
	f.complete[i][currency] = true
	have := f.of(i, currency)
	if footer.Count != "" {
		if err := f.compareCount(footer, r, have); err != nil {
			return err
		}
	}
	for n, sum := range footer.sums {
		if err := f.compareSum(sum, r, currency, have.sums[n]); err != nil {
			return err
		}
	}
	return nil
}

func (f *footing) compareCount(footer footerLayout, r *row, have *counted) error {
	stated, err := at(footer.count, r)
	if err != nil {
		return err
	}
	if n, err := strconv.ParseInt(stated, 10, 64); err != nil || n != have.rows || f.unread > 0 {
		return &FooterError{Column: footer.Count, Stated: shown(stated), Counted: strconv.FormatInt(have.rows, 10), Unread: f.unread}
	}
	return nil
}

func (f *footing) compareSum(sum footerSum, r *row, currency string, have Sum) error {
	stated, err := at(sum.stand, r)
	if err != nil {
		return err
	}
	places := f.places(currency)
	total, err := f.decoder.numerals.total(stated, places)
	if err != nil || !total.Equal(have.Decimal()) || f.unread > 0 {
		return &FooterError{Column: sum.name, Stated: shown(stated), Counted: have.Decimal().String(), Unread: f.unread}
	}
	return nil
}

// places is how a footer's sums are written. Validate saw to it that one about
// all currencies needs none.
func (f *footing) places(currency string) int {
	if currency == "" {
		currency = f.decoder.cells[fieldCurrency].constant
	}
	places, _ := f.decoder.units.places(currency)
	return places
}

// at returns the value of a footer's column.
func at(c cell, r *row) (string, error) {
	if c.index >= len(r.values) {
		return "", &WidthError{Has: len(r.values), Want: c.index + 1}
	}
	return c.of(r.values), nil
}

// count adds up a row of data, whether or not it is a record.
func (f *footing) count(r *row) {
	if f.footer == nil {
		return
	}
	code := f.decoder.cells[fieldCurrency].of(r.values)
	unit, err := f.decoder.units.of(code)
	if err != nil {
		f.lose()
		return
	}
	for i, footer := range f.decoder.footers {
		if !f.add(f.of(i, footer.currencyOf(unit.code)), footer, r, unit) {
			f.lose()
			return
		}
	}
}

func (l footerLayout) currencyOf(code string) string {
	if l.Currency == "" {
		return ""
	}
	return code
}

func (f *footing) add(have *counted, footer footerLayout, r *row, unit unitOf) bool {
	for n, sum := range footer.sums {
		text := sum.of.of(r.values)
		if text == "" {
			continue
		}
		amount, err := f.decoder.numerals.amount(text, unit.places)
		if err != nil {
			return false
		}
		have.sums[n].Add(amount)
	}
	have.rows++
	return true
}

// lose notes a row that cannot be counted.
func (f *footing) lose() { f.unread++ }

func (f *footing) of(i int, currency string) *counted {
	have := f.counted[i][currency]
	if have == nil {
		have = &counted{sums: make([]Sum, len(f.decoder.footers[i].sums))}
		f.counted[i][currency] = have
	}
	return have
}

// end reports a footer that did not come, for one of the currencies too.
func (f *footing) end() error {
	for i, footer := range f.decoder.footers {
		if footer.Currency == "" && !f.complete[i][""] {
			return ErrNoFooter
		}
		for currency := range f.counted[i] {
			if !f.complete[i][currency] {
				return ErrNoFooter
			}
		}
	}
	return nil
}
