package legacy_test

import (
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// Memory does not grow with the rows: what is kept between two of them is far
// less than what was read. Not in parallel: it reads the memory of the process.
func TestReader_MemoryIsFlat(t *testing.T) {
	rows := 50_000
	if os.Getenv("WALLET_SOAK") == "1" {
		rows = 1_000_000
	}
	reader := open(t, old(t, rows), query)
	var first, most uint64
	n := 0
	for _, err := range reader.Records() {
		require.NoError(t, err)
		if n++; n%10_000 == 0 {
			held := heap()
			if first == 0 {
				first = held
			}
			most = max(most, held)
		}
	}
	require.Equal(t, rows, n)
	require.Less(t, most, first+8<<20, "grew from %d bytes to %d over %d rows", first, most, rows)
	read, _ := reader.Progress()
	require.Greater(t, read, int64(rows)*50)
}

// heap is what is alive.
func heap() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
