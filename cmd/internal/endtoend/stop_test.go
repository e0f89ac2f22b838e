package endtoend_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestStop_UnderLoadEndsInTimeAndLosesNothing(t *testing.T) {
	t.Parallel()
	p := newRunning(t, settings{"CREDIT_RETRY_BASE": "500ms"})
	flow := p.startTraffic(4)
	flow.await(20)

	for range 2 {
		before := p.gaming.Load()
		p.startGaming(nil)
		flow.await(4)
		p.stop(before)
		old := p.casino.Load()
		p.startCasino(nil) // traffic goes to the new one from here on
		p.stop(old)
		flow.await(10)
	}
	// Without a second one: what comes now is sent again.
	p.stop(p.gaming.Load())
	p.stop(p.casino.Load())
	p.startCasino(nil)
	p.startGaming(nil)
	flow.await(10)

	paid := flow.end()
	require.NoError(t, flow.failed)
	// A stop may come between an effect and its mark.
	p.requireWhole(paid, expected{repeatedEffects: true})
	for _, log := range p.logs {
		require.Empty(t, log.records(t, "ERROR"), "%s", log.name)
	}
}
