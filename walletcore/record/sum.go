package record

import (
	"encoding/binary"
	"encoding/json"
	"math/big"
	"math/bits"

	"github.com/shopspring/decimal"

	"github.com/walletctl/walletctl/walletcore"
)

// Sum is an exact total of amounts. Unlike walletcore.Money it holds the sum of
// more rows than any file has. The zero value is 0.
type Sum struct {
	high int64
	low  uint64
}

// Add adds m.
func (s *Sum) Add(m walletcore.Money) {
	var carry uint64
	s.low, carry = bits.Add64(s.low, uint64(m.Units()), 0)
	s.high += m.Units()>>63 + int64(carry)
}

// Merge adds another total.
func (s *Sum) Merge(o Sum) {
	var carry uint64
	s.low, carry = bits.Add64(s.low, o.low, 0)
	s.high += o.high + int64(carry)
}

// Decimal returns the total.
func (s Sum) Decimal() decimal.Decimal {
	units := new(big.Int).Lsh(big.NewInt(s.high), 64)
	units.Add(units, new(big.Int).SetBytes(binary.BigEndian.AppendUint64(nil, s.low)))
	return decimal.NewFromBigInt(units, -walletcore.Places)
}

// String formats the total with all 8 places.
func (s Sum) String() string { return s.Decimal().StringFixed(walletcore.Places) }

// MarshalJSON writes a decimal string with 8 places.
func (s Sum) MarshalJSON() ([]byte, error) { return json.Marshal(s.String()) }
