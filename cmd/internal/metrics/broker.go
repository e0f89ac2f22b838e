package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/walletctl/walletctl/walletcore/broker"
)

// Broker returns the counters of a connection to the broker.
func Broker(s *broker.Stats) []Counter {
	outcome := func(name string) prometheus.Labels { return prometheus.Labels{"outcome": name} }
	const published = "Messages published, by what became of them."
	const consumed = "Deliveries, by what became of them."
	return []Counter{
		{Name: "broker_connects_total", Help: "Connections made to the broker.", Value: &s.Connects},
		{Name: "broker_published_total", Help: published, Labels: outcome("confirmed"), Value: &s.Confirmed},
		{Name: "broker_published_total", Help: published, Labels: outcome("returned"), Value: &s.Returned},
		{Name: "broker_published_total", Help: published, Labels: outcome("nacked"), Value: &s.Nacked},
		{Name: "broker_published_total", Help: published, Labels: outcome("unconfirmed"), Value: &s.Unconfirmed},
		{Name: "broker_deliveries_total", Help: consumed, Labels: outcome("acked"), Value: &s.Acked},
		{Name: "broker_deliveries_total", Help: consumed, Labels: outcome("requeued"), Value: &s.Requeued},
		{Name: "broker_deliveries_total", Help: consumed, Labels: outcome("dead_letter"), Value: &s.Parked},
		{Name: "broker_late_replies_total", Help: "Replies that no caller waited for any more.", Value: &s.LateReplies},
		{Name: "broker_pauses_total", Help: "Times that consuming paused for an outage.", Value: &s.Pauses},
	}
}
