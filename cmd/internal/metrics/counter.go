// Package metrics registers what the packages count by themselves: they keep
// plain atomic counters and know nothing of Prometheus.
package metrics

import (
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"
)

// Counter is a counter that a package keeps.
type Counter struct {
	// Name without the namespace, with its labels as pairs: a name may come
	// several times, with other labels.
	Name   string
	Labels prometheus.Labels
	Help   string
	Value  *atomic.Int64
}

// Register has the counters read at each scrape, under walletctl_<name>.
func Register(registry prometheus.Registerer, counters ...Counter) {
	for _, c := range counters {
		registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
			Namespace: "walletctl", Name: c.Name, Help: c.Help, ConstLabels: c.Labels,
		}, func() float64 { return float64(c.Value.Load()) }))
	}
}
