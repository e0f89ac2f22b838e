package record

import (
	"strings"

	"github.com/walletctl/walletctl/walletcore"
)

// numerals reads the amounts of a source.
type numerals struct {
	mark      byte   // decimal
	thousands string // empty where none may stand
}

func (m *Mapping) numerals() numerals {
	return numerals{mark: m.DecimalMark[0], thousands: m.ThousandsMark}
}

// amount reads an amount of places decimal places, or written with a decimal
// mark where places is mainPlaces. It is never rounded.
func (n numerals) amount(text string, places int) (walletcore.Money, error) {
	if places != mainPlaces {
		return whole(text, places)
	}
	if units, ok := n.plainUnits(text); ok {
		return walletcore.MoneyFromUnits(units), nil
	}
	plain, err := n.plain(text)
	if err != nil {
		return walletcore.Money{}, err
	}
	if units, ok := (numerals{mark: '.'}).plainUnits(plain); ok {
		return walletcore.MoneyFromUnits(units), nil
	}
	return walletcore.ParseMoney(plain)
}

// plainUnits reads what nearly all amounts are: a sign, at most 10 digits, a
// mark, at most 8 digits. Anything else is left to walletcore.ParseMoney, which
// says the same of these.
func (n numerals) plainUnits(text string) (units int64, ok bool) {
	digits := text
	if text != "" && (text[0] == '-' || text[0] == '+') {
		digits = text[1:]
	}
	point := strings.IndexByte(digits, n.mark)
	if point < 0 {
		point = len(digits)
	}
	fraction := len(digits) - point - 1
	if point == 0 || point > 10 || fraction == 0 || fraction > walletcore.Places {
		return 0, false
	}
	for i := range len(digits) {
		c := digits[i] - '0'
		if i == point {
			continue
		}
		if c > 9 {
			return 0, false
		}
		units = units*10 + int64(c)
	}
	units *= powers[walletcore.Places-max(fraction, 0)]
	if text[0] == '-' {
		units = -units
	}
	return units, true
}

var powers = [walletcore.Places + 1]int64{1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000}

// foreign are the marks that are left where the declared ones are gone.
const foreign = ".,' \u00a0\u202f\u2019_"

// plain writes an amount with a point and without thousands marks, or says that
// the marks are not the declared ones. It leaves other faults in place.
func (n numerals) plain(text string) (string, error) {
	before, after, marked := strings.Cut(text, string(n.mark))
	if n.thousands != "" && strings.Contains(before, n.thousands) {
		if !n.grouped(strings.TrimLeft(before, "+-")) {
			return "", ErrMark
		}
		before = strings.ReplaceAll(before, n.thousands, "")
	}
	if strings.ContainsAny(before, foreign) || strings.ContainsAny(after, foreign) {
		return "", ErrMark
	}
	if !marked {
		return before, nil
	}
	return before + "." + after, nil
}

// grouped reports whether digits stand in groups of three behind a first of one
// to three.
func (n numerals) grouped(digits string) bool {
	group, rest, more := strings.Cut(digits, n.thousands)
	if len(group) == 0 || len(group) > 3 {
		return false
	}
	for more {
		if group, rest, more = strings.Cut(rest, n.thousands); len(group) != 3 {
			return false
		}
	}
	return true
}

// whole reads a whole number of units of places decimal places.
func whole(text string, places int) (walletcore.Money, error) {
	sign, digits := "", text
	if text != "" && (text[0] == '-' || text[0] == '+') {
		sign, digits = text[:1], text[1:]
	}
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return walletcore.Money{}, ErrWhole
		}
	}
	if digits == "" {
		return walletcore.Money{}, ErrWhole
	}
	if missing := places + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	if places == 0 {
		return numerals{mark: '.'}.amount(sign+digits, mainPlaces)
	}
	point := len(digits) - places
	return numerals{mark: '.'}.amount(sign+digits[:point]+"."+digits[point:], mainPlaces)
}
