package endtoend_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestOutage_EveryDepositIsCreditedOnce has traffic flow while a server goes
// away and comes back. Whatever was taken ends CREDITED, with one entry.
func TestOutage_EveryDepositIsCreditedOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("starts servers of its own")
	}
	stack := newOwnStack(t)
	// A call waits for the broker to come back, so that six of them outlast any
	// outage here, and the last wait is 8 s.
	p := newRunning(t, settings{"CREDIT_RETRY_BASE": "500ms"})
	var all []deposit
	for _, outage := range [][]string{
		{"restart", "rabbitmq"}, {"kill", "rabbitmq"}, {"restart", "postgres"}, {"kill", "postgres"},
	} {
		began := time.Now()
		flow := p.startTraffic(3)
		flow.await(10)
		stack.do(outage...)
		if outage[0] == "kill" {
			flow.awaitTrouble()
			stack.do("start", outage[1])
		}
		p.admin.Reset()
		flow.await(10)
		paid := flow.end()
		require.NoError(t, flow.failed, outage)
		p.waitCredited(paid)
		t.Logf("%v: %d deposits, %s", outage, len(paid), time.Since(began).Round(time.Second))
		all = append(all, paid...)
	}
	all = append(all, p.blockBroker(stack))
	p.requireWhole(all, expected{repeatedEffects: true})
}

// blockBroker has the broker run short of memory: what it does not take is not
// taken by casino, and the services stop in time all the same. It returns the
// deposit whose webhook was sent again afterwards.
func (p *platform) blockBroker(stack *ownStack) deposit {
	p.t.Helper()
	d := p.create(order{})
	body := paid(d).body()
	stack.rabbitmqctl("set_vm_memory_high_watermark", "0")
	a, err := p.webhook("pix/acme-main", body)
	require.NoError(p.t, err)
	require.Equal(p.t, http.StatusServiceUnavailable, a.status, a.body)
	await(p.t, "casino to say that it is not ready", func() bool {
		response, err := http.Get(p.casino.Load().URL() + "/readyz")
		require.NoError(p.t, err)
		defer response.Body.Close()
		return response.StatusCode == http.StatusServiceUnavailable
	})
	p.stop(p.casino.Load())
	p.stop(p.gaming.Load())

	stack.rabbitmqctl("set_vm_memory_high_watermark", "0.4")
	p.startGaming(nil)
	p.startCasino(nil)
	p.requireTaken("pix/acme-main", body)
	return d
}
