package main

import (
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/walletctl/walletctl/backfill/unkeyed"
	"github.com/walletctl/walletctl/cmd/internal/service"
	"github.com/walletctl/walletctl/walletcore/provider"
)

// observeUnkeyed counts movements without an id by what became of them, and
// keeps the list of who may send them in the database.
func observeUnkeyed(
	s *service.Service, pool *pgxpool.Pool, profiles *provider.Profiles,
) (func(brand, name string, fate provider.UnkeyedFate), error) {
	movements := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "walletctl_provider_unkeyed_total", Help: "Bets and wins that a game provider sent without an id, by what became of them.",
	}, []string{"brand", "provider", "fate"})
	s.Metrics.MustRegister(movements)
	o := unkeyed.KeeperOptions{Pool: pool, Logger: s.Logger}
	for _, p := range profiles.All() {
		producer := unkeyed.Producer{Brand: p.Brand, Provider: p.Provider}
		if p.Unkeyed == nil {
			o.Unlisted = append(o.Unlisted, producer)
			continue
		}
		producer.Until, producer.MessageIDHeader = p.Unkeyed.Until, p.Unkeyed.MessageIDHeader
		o.Listed = append(o.Listed, producer)
		for _, fate := range provider.UnkeyedFates() {
			movements.WithLabelValues(p.Brand, p.Provider, string(fate)) // seen as 0 from the start
		}
	}
	keeper, err := unkeyed.NewKeeper(o)
	if err != nil {
		return nil, err
	}
	s.Go("movements without an id", keeper.Run)
	return func(brand, name string, fate provider.UnkeyedFate) {
		movements.WithLabelValues(brand, name, string(fate)).Inc()
		if fate == provider.UnkeyedExpired {
			keeper.Refuse(brand, name)
		}
	}, nil
}
