package chaincheck

import (
	"bytes"
	"encoding/binary"

	"github.com/google/uuid"
)

// walletsPerRange is about how many wallets a range holds. Ids derive from a
// hash, so equal parts of the key space hold about equally many.
const (
	walletsPerRange = 20_000
	maxRanges       = 4096
)

// idRange is a part of the wallets by id, both ends included.
type idRange struct {
	from, to uuid.UUID
}

// splitIDs cuts the key space into parts for the workers: several for each, so
// that none waits long for the last.
func splitIDs(wallets int64, workers int) []idRange {
	return cutIDs(min(max(wallets/walletsPerRange, int64(workers)*4), maxRanges))
}

// cutIDs cuts the key space into equal parts.
func cutIDs(count int64) []idRange {
	ranges := make([]idRange, count)
	for i := range ranges {
		ranges[i] = idRange{from: idAt(int64(i), count), to: before(idAt(int64(i+1), count))}
	}
	ranges[count-1].to = uuid.Max
	return ranges
}

// idAt returns the first id of the i-th of count equal parts.
func idAt(i, count int64) (id uuid.UUID) {
	binary.BigEndian.PutUint64(id[:8], uint64(i)*(1<<63/uint64(count))<<1)
	return id
}

// before returns the id just below one.
func before(id uuid.UUID) uuid.UUID {
	for i := len(id) - 1; i >= 0; i-- {
		id[i]--
		if id[i] != 0xff {
			break
		}
	}
	return id
}

// after returns the id just above one.
func after(id uuid.UUID) uuid.UUID {
	for i := len(id) - 1; i >= 0; i-- {
		id[i]++
		if id[i] != 0 {
			break
		}
	}
	return id
}

func compareIDs(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }
