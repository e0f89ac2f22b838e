package record

import (
	"strings"

	"github.com/walletctl/walletctl/walletcore"
)

// mainPlaces stands for amounts in the main unit, with a decimal mark.
const mainPlaces = -1

const anyCurrency = "*"

// unitOf is what is known of a currency.
type unitOf struct {
	code   string // one string for all rows
	places int
}

// units answers what the amounts of a currency count.
type units struct {
	declared map[string]Unit
	known    map[string]unitOf
	last     unitOf // of the row before, which nearly always is that of this one
}

// maxKnown bounds the memory for what rows claim to be currencies.
const maxKnown = 4096

// of returns what is known of a currency. The error is ErrNoUnit or a
// *walletcore.FieldError.
func (u *units) of(code string) (unitOf, error) {
	if code == u.last.code && code != "" {
		return u.last, nil
	}
	if known, ok := u.known[code]; ok {
		u.last = known
		return known, nil
	}
	if err := walletcore.CheckCurrency(code); err != nil {
		return unitOf{}, err
	}
	places, ok := u.places(code)
	if !ok {
		return unitOf{}, ErrNoUnit
	}
	u.last = unitOf{code: strings.Clone(code), places: places}
	if len(u.known) < maxKnown {
		u.known[u.last.code] = u.last
	}
	return u.last, nil
}

func (u *units) places(code string) (int, bool) {
	unit, ok := u.declared[code]
	if !ok {
		unit, ok = u.declared[anyCurrency]
	}
	switch unit {
	case UnitMain:
		return mainPlaces, ok
	case UnitMinor:
		return walletcore.MinorUnits(code), ok
	}
	return unit.digits(), ok
}

// digits is the number of places that a unit without a name says; below 0 where
// it is not one.
func (u Unit) digits() int {
	if len(u) != 1 || u[0] < '0' || u[0] > '0'+walletcore.Places {
		return -1
	}
	return int(u[0] - '0')
}
