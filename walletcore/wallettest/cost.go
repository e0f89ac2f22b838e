package wallettest

import (
	"runtime"
	"time"
)

// Cost returns what the best of five runs takes, in time and in bytes
// allocated: the machine may be busy, and is not so five times. The bytes are
// the process's, so nothing else may run beside it.
func Cost(do func()) (took time.Duration, bytes uint64) {
	took, bytes = time.Hour, ^uint64(0)
	for range 5 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		began := time.Now()
		do()
		took = min(took, time.Since(began))
		runtime.ReadMemStats(&after)
		bytes = min(bytes, after.TotalAlloc-before.TotalAlloc)
	}
	return took, bytes
}
