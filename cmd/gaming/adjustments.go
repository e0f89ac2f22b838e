package main

import (
	"os"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/walletctl/walletctl/adjust"
	"github.com/walletctl/walletctl/cmd/gaming/internal/notify"
	"github.com/walletctl/walletctl/cmd/internal/config"
	"github.com/walletctl/walletctl/cmd/internal/metrics"
	"github.com/walletctl/walletctl/cmd/internal/postgres"
	"github.com/walletctl/walletctl/cmd/internal/service"
	"github.com/walletctl/walletctl/cmd/internal/version"
	"github.com/walletctl/walletctl/walletcore/ledger"
)

// Adjustments are the settings of what employees ask for and approve.
type Adjustments struct {
	// Sweep is how often gaming looks for what is approved and not posted, also
	// where no NOTIFY came.
	Sweep time.Duration `env:"ADJUSTMENT_SWEEP" envDefault:"5s"`
	// ListenURL connects as the role gaming, past a pooler, for NOTIFY. Without
	// a pooler GAMING_DATABASE_URL serves; behind one, sweeps alone do without.
	ListenURL config.Secret `env:"GAMING_LISTEN_URL"`
	// WebhookURL is told of each new request; empty: nobody is.
	WebhookURL config.Secret `env:"ADJUSTMENT_WEBHOOK_URL"`
	// WebhookSecret signs what is sent there.
	WebhookSecret config.Secret `env:"ADJUSTMENT_WEBHOOK_SECRET"`
}

// start posts what is approved, and tells of what is requested.
func (a *Adjustments) start(s *service.Service, pool *pgxpool.Pool, wallet *ledger.Ledger, pooler string) error {
	if a.Sweep <= 0 {
		return &config.Error{Variable: "ADJUSTMENT_SWEEP", Problem: "is not above zero", Try: "write it as in ADJUSTMENT_SWEEP=5s"}
	}
	listener, err := a.listener(s, pool, pooler)
	if err != nil {
		return err
	}
	host, _ := os.Hostname()
	poster, err := adjust.NewPoster(adjust.PosterOptions{
		Pool: pool, Ledger: wallet, Told: subscribe(listener), Interval: a.Sweep,
		Host: host, Client: "gaming " + version.Get().Version, Logger: s.Logger,
	})
	if err != nil {
		return err
	}
	metrics.Register(s.Metrics, posterCounters(poster.Stats())...)
	if err := a.startNotifier(s, pool, listener); err != nil {
		return err
	}
	s.Go("adjustments", poster.Run)
	if listener != nil {
		s.Go("adjustment news", listener.Run)
	}
	return nil
}

// listener is nil where no connection can be kept for NOTIFY.
func (a *Adjustments) listener(s *service.Service, pool *pgxpool.Pool, pooler string) (*adjust.Listener, error) {
	switch {
	case a.ListenURL != "":
		direct, err := postgres.Open(s.Context(), postgres.Options{
			Variable: "GAMING_LISTEN_URL", URL: a.ListenURL, ApplicationName: s.Name, MaxConns: 1, Logger: s.Logger,
		})
		if err != nil {
			return nil, err
		}
		s.OnClose(direct.Close)
		pool = direct
	case pooler != postgres.PoolerNone:
		return nil, nil
	}
	return &adjust.Listener{Pool: pool, Pause: a.Sweep, Logger: s.Logger}, nil
}

func subscribe(listener *adjust.Listener) <-chan struct{} {
	if listener == nil {
		return nil
	}
	return listener.Subscribe()
}

func (a *Adjustments) startNotifier(s *service.Service, pool *pgxpool.Pool, listener *adjust.Listener) error {
	if a.WebhookURL == "" {
		return nil
	}
	webhook, err := notify.New(a.WebhookURL, a.WebhookSecret)
	if err != nil {
		return err
	}
	notifier, err := adjust.NewNotifier(adjust.NotifierOptions{
		Pool: pool, Send: webhook.Send, Told: subscribe(listener), Interval: a.Sweep, Logger: s.Logger,
	})
	if err != nil {
		return err
	}
	const help = "Requests for adjustments that the webhook was told of, by what came of it."
	metrics.Register(s.Metrics,
		metrics.Counter{Name: "adjustment_notices_total", Help: help, Labels: prometheus.Labels{"outcome": "sent"}, Value: &notifier.Stats().Sent},
		metrics.Counter{Name: "adjustment_notices_total", Help: help, Labels: prometheus.Labels{"outcome": "failed"}, Value: &notifier.Stats().Failed},
	)
	s.Go("adjustment notices", notifier.Run)
	return nil
}

func posterCounters(p *adjust.PosterStats) []metrics.Counter {
	const help = "Approved adjustments, by what became of them."
	return []metrics.Counter{
		{Name: "adjustments_total", Help: help, Labels: prometheus.Labels{"outcome": "posted"}, Value: &p.Posted},
		{Name: "adjustments_total", Help: help, Labels: prometheus.Labels{"outcome": "refused"}, Value: &p.Refused},
		{Name: "adjustments_total", Help: help, Labels: prometheus.Labels{"outcome": "failed"}, Value: &p.Failed},
	}
}
