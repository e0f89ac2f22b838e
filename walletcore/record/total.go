package record

import (
	"strings"

	"github.com/shopspring/decimal"
)

// total reads a sum of a footer, which may be greater than any amount.
func (n numerals) total(text string, places int) (decimal.Decimal, error) {
	if places != mainPlaces {
		n = numerals{mark: '.'}
	}
	plain, err := n.plain(text)
	if err != nil || len(plain) > maxShown || strings.Trim(strings.TrimLeft(plain, "+-"), "0123456789.") != "" {
		return decimal.Decimal{}, ErrMark
	}
	total, err := decimal.NewFromString(plain)
	if places != mainPlaces {
		total = total.Shift(-int32(places))
	}
	return total, err
}
