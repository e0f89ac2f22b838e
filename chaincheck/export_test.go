package chaincheck

import (
	"github.com/google/uuid"

	"github.com/walletctl/walletctl/walletcore"
)

// What tests of this package alone may look at.

func DecodeMoney(b []byte) (walletcore.Money, error) { return decodeMoney(b) }

// SplitStream hands over the rows of a COPY stream that comes in parts.
func SplitStream(parts [][]byte, row func([][]byte) error) (ended bool, err error) {
	s := &copyStream{row: row}
	for _, part := range parts {
		if _, err := s.Write(part); err != nil {
			return false, err
		}
	}
	return s.ended, nil
}

// SplitIDs returns the ends of the ranges.
func SplitIDs(wallets int64, workers int) (list [][2]uuid.UUID) {
	for _, part := range splitIDs(wallets, workers) {
		list = append(list, [2]uuid.UUID{part.from, part.to})
	}
	return list
}

func After(id uuid.UUID) uuid.UUID { return after(id) }
