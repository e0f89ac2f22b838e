package chaincheck

import (
	"encoding/binary"
	"errors"
	"time"

	"github.com/google/uuid"

	"github.com/walletctl/walletctl/walletcore"
)

var (
	errNotAmount  = errors.New("is no amount (NaN or infinite)")
	errTooFine    = errors.New("has more than 8 decimal places")
	errOutOfRange = errors.New("is out of range")
)

// groupValues are the worths, in 0.00000001, of a numeric's groups of four
// decimal digits: that of weight -2 first, that of weight 2 last.
var groupValues = [...]int64{1, 1e4, 1e8, 1e12, 1e16}

// decodeMoney reads a numeric in PostgreSQL's binary format: count of groups,
// weight of the first, sign, display scale, groups.
func decodeMoney(b []byte) (walletcore.Money, error) {
	if len(b) < 8 {
		return walletcore.Money{}, errNotAmount
	}
	count := int(binary.BigEndian.Uint16(b))
	weight := int(int16(binary.BigEndian.Uint16(b[2:])))
	sign := binary.BigEndian.Uint16(b[4:])
	if sign&^0x4000 != 0 || len(b) < 8+2*count {
		return walletcore.Money{}, errNotAmount
	}
	var units int64
	for i := range count {
		group := int64(binary.BigEndian.Uint16(b[8+2*i:]))
		place := weight - i + 2
		switch {
		case group == 0:
		case place < 0:
			return walletcore.Money{}, errTooFine
		case place >= len(groupValues) || place == len(groupValues)-1 && group > 99:
			return walletcore.Money{}, errOutOfRange
		default:
			units += group * groupValues[place]
		}
	}
	if sign != 0 {
		units = -units
	}
	return walletcore.MoneyFromUnits(units), nil
}

// decodeTime reads a timestamptz: microseconds since 2000.
func decodeTime(b []byte) time.Time {
	const from1970to2000 = 946_684_800_000_000
	return time.UnixMicro(decodeInt64(b) + from1970to2000).UTC()
}

func decodeInt64(b []byte) int64 {
	if len(b) != 8 {
		return 0
	}
	return int64(binary.BigEndian.Uint64(b))
}

func decodeInt16(b []byte) int16 {
	if len(b) != 2 {
		return 0
	}
	return int16(binary.BigEndian.Uint16(b))
}

func decodeID(b []byte) (id uuid.UUID) {
	copy(id[:], b)
	return id
}

func decodeHash(b []byte) (hash [walletcore.HashSize]byte) {
	copy(hash[:], b)
	return hash
}
