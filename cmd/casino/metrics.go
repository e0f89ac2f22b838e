package main

import (
	"strconv"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/walletctl/walletctl/walletcore/gateway"
)

// observer counts what comes in at the doors.
type observer struct {
	requests *prometheus.CounterVec
	webhooks *prometheus.CounterVec
}

func newObserver(registry prometheus.Registerer) *observer {
	o := &observer{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "walletctl_http_requests_total", Help: "Requests of the brands' sites, by route and status.",
		}, []string{"route", "status"}),
		webhooks: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "walletctl_webhooks_total", Help: "Webhooks of the gateways, by account and what became of them.",
		}, []string{"gateway", "account", "outcome"}),
	}
	registry.MustRegister(o.requests, o.webhooks)
	return o
}

func (o *observer) request(route string, status int) {
	o.requests.WithLabelValues(route, strconv.Itoa(status)).Inc()
}

func (o *observer) webhook(name, account string, outcome gateway.Outcome) {
	o.webhooks.WithLabelValues(name, account, string(outcome)).Inc()
}
