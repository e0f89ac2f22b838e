package record_test

import (
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/record"
)

// What is in use does not grow with the number of rows. Not in parallel: it
// reads the memory of the process.
func TestRecords_MemoryIsFlat(t *testing.T) {
	rows := 200_000
	if os.Getenv("WALLET_SOAK") != "" {
		rows = 5_000_000
	}
	for name, source := range map[string]struct {
		head string
		line func(int) string
	}{"walletctl": {walletctlHeader, csvLine}, "walletctl-ndjson": {"", jsonLine}} {
		reader, err := record.Open(t.Context(), named(t, name), record.Stream("generated", generated(rows, source.head, source.line)))
		require.NoError(t, err)
		early, read := uint64(0), 0
		for _, err := range reader.Records() {
			require.NoError(t, err)
			if read++; read == rows/20 {
				early = inUse()
			}
		}
		require.Equal(t, rows, read)
		require.Less(t, inUse(), early+(2<<20), name)
		runtime.KeepAlive(reader)
	}
}

func inUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
