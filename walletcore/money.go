package walletcore

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/shopspring/decimal"
)

// Places is the number of decimal places of every amount and balance. It is
// the scale of numeric(18,8) in the database.
const Places = 8

const (
	unitsPerOne   = 100_000_000
	maxUnits      = 1_000_000_000_000_000_000 - 1 // numeric(18,8): 18 digits in all
	maxAmountText = 64
)

// Money is an exact amount in the main unit of a currency, with 8 decimal
// places. It is kept as a count of 0.00000001, so that it can be compared with
// ==, copied freely and hashed without allocation; arithmetic that divides goes
// through [Money.Decimal]. The zero value is 0.
type Money struct {
	units int64
}

// MaxMoney is the greatest amount that numeric(18,8) holds.
var MaxMoney = Money{units: maxUnits}

// MoneyFromUnits returns the amount of n times 0.00000001.
func MoneyFromUnits(n int64) Money { return Money{units: n} }

// ParseMoney reads a decimal text: optional sign, digits, optionally a point
// and digits. The text is checked before any number is built from it, so that
// an exponent or megabytes of digits cost nothing. Zeros beyond 8 places are
// accepted, any other digit there is refused, never rounded. The error is an
// *AmountError.
func ParseMoney(text string) (Money, error) {
	if err := checkAmountText(text); err != nil {
		return Money{}, err
	}
	d, err := decimal.NewFromString(text)
	if err != nil {
		return Money{}, &AmountError{Text: text, Reason: "is not a decimal number"}
	}
	return MoneyFromDecimal(d)
}

// MustParseMoney is ParseMoney for constants in programs and tests.
func MustParseMoney(text string) Money {
	m, err := ParseMoney(text)
	if err != nil {
		panic(err)
	}
	return m
}

// MoneyFromDecimal converts d, which must fit numeric(18,8) without rounding.
func MoneyFromDecimal(d decimal.Decimal) (Money, error) {
	shifted := d.Shift(Places)
	if !shifted.IsInteger() {
		return Money{}, &AmountError{Text: d.String(), Reason: "has more than 8 decimal places"}
	}
	if shifted.Abs().GreaterThan(decimal.NewFromInt(maxUnits)) {
		return Money{}, &AmountError{Text: d.String(), Reason: "is out of range: at most 10 digits before the point"}
	}
	return Money{units: shifted.IntPart()}, nil
}

func checkAmountText(text string) error {
	if len(text) > maxAmountText {
		return &AmountError{Text: text[:16] + "…", Reason: fmt.Sprintf("is longer than %d characters", maxAmountText)}
	}
	digits := strings.TrimLeft(text, "+-")
	if len(text)-len(digits) > 1 {
		return &AmountError{Text: text, Reason: "has more than one sign"}
	}
	whole, fraction, point := strings.Cut(digits, ".")
	if !allDigits(whole) || (point && !allDigits(fraction)) {
		return &AmountError{Text: text, Reason: "is not a plain decimal number such as 12.50"}
	}
	return nil
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// Units returns the amount as a count of 0.00000001.
func (m Money) Units() int64 { return m.units }

// Decimal returns the amount for arithmetic that Money does not offer.
func (m Money) Decimal() decimal.Decimal { return decimal.New(m.units, -Places) }

// Add returns m + o. Two amounts in range cannot overflow; whether the sum is
// in range is [Money.InRange].
func (m Money) Add(o Money) Money { return Money{units: m.units + o.units} }

// Sub returns m - o.
func (m Money) Sub(o Money) Money { return Money{units: m.units - o.units} }

// Neg returns -m.
func (m Money) Neg() Money { return Money{units: -m.units} }

// Cmp returns -1, 0 or 1 as m is below, equal to or above o.
func (m Money) Cmp(o Money) int {
	switch {
	case m.units < o.units:
		return -1
	case m.units > o.units:
		return 1
	}
	return 0
}

// Sign returns -1, 0 or 1 as m is below, equal to or above zero.
func (m Money) Sign() int { return m.Cmp(Money{}) }

// IsZero reports whether m is zero.
func (m Money) IsZero() bool { return m.units == 0 }

// InRange reports whether m fits numeric(18,8).
func (m Money) InRange() bool { return m.units <= maxUnits && m.units >= -maxUnits }

// FitsPlaces reports whether m needs at most the given number of decimal
// places, such as the minor unit of its currency.
func (m Money) FitsPlaces(places int) bool {
	step := int64(1)
	for range Places - places {
		step *= 10
	}
	return m.units%step == 0
}

// String formats m with all 8 places: "12.50000000".
func (m Money) String() string {
	sign, abs := "", uint64(m.units)
	if m.units < 0 {
		sign, abs = "-", -abs
	}
	return fmt.Sprintf("%s%d.%08d", sign, abs/unitsPerOne, abs%unitsPerOne)
}

// MarshalJSON writes a decimal string with 8 places.
func (m Money) MarshalJSON() ([]byte, error) { return json.Marshal(m.String()) }

// UnmarshalJSON reads a decimal string. A JSON number is refused: some producer
// may have carried it through a float.
func (m *Money) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return &AmountError{Text: shorten(string(data)), Reason: `must be a decimal string such as "12.50"`}
	}
	parsed, err := ParseMoney(text)
	if err != nil {
		return err
	}
	*m = parsed
	return nil
}

// Value implements [driver.Valuer]: a decimal text for a numeric column.
func (m Money) Value() (driver.Value, error) { return m.String(), nil }

// Scan implements [database/sql.Scanner] for a numeric column. NULL and NaN
// are errors.
func (m *Money) Scan(src any) error {
	text, ok := src.(string)
	if !ok {
		return fmt.Errorf("scan money from %T", src)
	}
	parsed, err := ParseMoney(text)
	if err != nil {
		return err
	}
	*m = parsed
	return nil
}

func shorten(s string) string {
	if len(s) > maxAmountText {
		return s[:16] + "…"
	}
	return s
}
