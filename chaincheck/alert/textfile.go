package alert

import (
	"fmt"
	"os"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// writeTextfile replaces the textfile at once: the collector never reads half.
func (s *Sinks) writeTextfile(o *Outcome) error {
	path := s.options.Textfile
	if path == "" {
		return nil
	}
	if err := prometheus.WriteToTextfile(path, o.metrics(lastSuccess(path, o.name("last_success_timestamp_seconds")))); err != nil {
		return fmt.Errorf("write textfile: %w", err)
	}
	return nil
}

func (o *Outcome) name(metric string) string { return "walletctl_" + o.Job + "_" + metric }

// metrics returns what the outcome is in metrics. before is the time of the
// last success before this run, 0 where there was none.
func (o *Outcome) metrics(before float64) *prometheus.Registry {
	registry := prometheus.NewRegistry()
	gauge := func(name, help string, value float64) {
		g := prometheus.NewGauge(prometheus.GaugeOpts{Name: o.name(name), Help: help})
		g.Set(value)
		registry.MustRegister(g)
	}
	gauge("last_run_timestamp_seconds", "When the last run ended.", seconds(o.FinishedAt))
	if o.Success() {
		before = seconds(o.FinishedAt)
	}
	if before > 0 {
		gauge("last_success_timestamp_seconds", "When the last run ended that found nothing wrong.", before)
	}
	gauge("status", "Exit code of the last run: 0 closed, 1 warning, 2 broken, 3 could not tell.", float64(o.Code))
	gauge("duration_seconds", "How long the last run took.", o.FinishedAt.Sub(o.StartedAt).Seconds())
	gauge("wallets", "Wallets that the last run checked.", float64(o.Wallets))
	gauge("entries", "Entries that the last run checked.", float64(o.Entries))
	gauge("unread_parts", "Parts that the last run could not read.", float64(o.Unread))
	if o.Lag >= 0 {
		gauge("replica_lag_seconds", "How far the replica was behind.", o.Lag.Seconds())
	}
	o.registerVectors(registry)
	return registry
}

// registerVectors adds the metrics with labels. Money is a label: a sample is
// a binary fraction, which no amount may be.
func (o *Outcome) registerVectors(registry *prometheus.Registry) {
	findings := prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: o.name("findings"), Help: "Breaks that the last run found, by kind.",
	}, []string{"kind"})
	for kind, count := range o.Findings {
		findings.WithLabelValues(kind).Set(float64(count))
	}
	doubt := prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: o.name("money_in_doubt_info"), Help: "Money in doubt after the last run, exact, as a label; always 1.",
	}, []string{"currency", "amount"})
	for currency, amount := range o.InDoubt {
		doubt.WithLabelValues(currency, amount).Set(1)
	}
	registry.MustRegister(findings, doubt)
}

// lastSuccess reads the time of the last success from the file of the run
// before: a failing run must not forget it. What cannot be read is no success.
func lastSuccess(path, name string) float64 {
	file, err := os.Open(path)
	if err != nil {
		return 0
	}
	defer file.Close()
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(file)
	if err != nil || families[name] == nil || len(families[name].GetMetric()) == 0 {
		return 0
	}
	return families[name].GetMetric()[0].GetGauge().GetValue()
}

func seconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }
