package main

import (
	"net/http"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/walletctl/walletctl/cmd/gaming/internal/config"
	"github.com/walletctl/walletctl/cmd/gaming/internal/play"
	"github.com/walletctl/walletctl/cmd/internal/service"
	"github.com/walletctl/walletctl/walletcore/ledger"
	"github.com/walletctl/walletctl/walletcore/provider"
)

// newHandler opens the doors of the game providers that the file lists; without
// a file there are none.
func newHandler(s *service.Service, file string, wallet *ledger.Ledger, pool *pgxpool.Pool) (http.Handler, error) {
	if file == "" {
		return nil, nil
	}
	doors, err := config.LoadConfig(file, config.Options{})
	if err != nil {
		return nil, err
	}
	player, err := play.New(play.Options{Ledger: wallet, Reader: ledger.NewReader(pool), Splits: doors.Splits})
	if err != nil {
		return nil, err
	}
	observe, err := observeUnkeyed(s, pool, doors.Profiles)
	if err != nil {
		return nil, err
	}
	callbacks, err := provider.NewHandler(provider.HandlerOptions{
		Profiles: doors.Profiles, Wallet: player, Observe: observeCallbacks(s.Metrics), ObserveUnkeyed: observe, Logger: s.Logger,
	})
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle(provider.Pattern, callbacks)
	mux.HandleFunc(provider.OpenAPIPattern, provider.ServeOpenAPI)
	return mux, nil
}

// observeCallbacks counts calls by what they were refused for; the reason of a
// success is "none".
func observeCallbacks(registry prometheus.Registerer) func(brand, name string, reason provider.Reason) {
	calls := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "walletctl_provider_calls_total", Help: "Calls of game providers, by what they were refused for.",
	}, []string{"brand", "provider", "reason"})
	registry.MustRegister(calls)
	return func(brand, name string, reason provider.Reason) {
		if reason == "" {
			reason = "none"
		}
		calls.WithLabelValues(brand, name, string(reason)).Inc()
	}
}
