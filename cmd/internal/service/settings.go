package service

import (
	"time"

	"github.com/walletctl/walletctl/cmd/internal/config"
)

// Settings are those that every service has. Embed them in the service's own.
type Settings struct {
	// LogLevel is debug, info, warn or error.
	LogLevel string `env:"LOG_LEVEL" envDefault:"info"`
	// HTTPAddr is where the service listens.
	HTTPAddr string `env:"HTTP_ADDR" envDefault:":8080"`
	// Grace is how long work in progress may take to end after SIGTERM.
	Grace time.Duration `env:"SHUTDOWN_GRACE" envDefault:"25s"`
	// Announce is how long the service answers "not ready" before it stops
	// taking requests; set it where a load balancer needs to notice.
	Announce time.Duration `env:"SHUTDOWN_ANNOUNCE" envDefault:"0s"`
	// DatabaseWait is how long to wait for the database when starting.
	DatabaseWait time.Duration `env:"DATABASE_WAIT" envDefault:"30s"`
	// BrokerWait is how long to wait for the broker when starting.
	BrokerWait time.Duration `env:"BROKER_WAIT" envDefault:"30s"`
	// DatabaseMaxConns is the size of the pool; 0 leaves it to the URL.
	DatabaseMaxConns int32 `env:"DATABASE_MAX_CONNS" envDefault:"0"`
	// DatabasePooler is empty or "transaction".
	DatabasePooler string `env:"DATABASE_POOLER"`
}

// Validate refuses settings that cannot work. The error is a *config.Error.
func (s *Settings) Validate() error {
	for name, d := range map[string]time.Duration{
		"SHUTDOWN_GRACE": s.Grace, "SHUTDOWN_ANNOUNCE": s.Announce, "DATABASE_WAIT": s.DatabaseWait, "BROKER_WAIT": s.BrokerWait,
	} {
		if d < 0 {
			return &config.Error{Variable: name, Problem: "is below zero", Try: "write it as in " + name + "=25s"}
		}
	}
	if s.Announce >= s.Grace {
		return &config.Error{Variable: "SHUTDOWN_ANNOUNCE", Problem: "is not below SHUTDOWN_GRACE", Try: "set it to a few seconds less"}
	}
	return nil
}

// DrainTimeout is what a part may give to its work in progress, so that it ends
// before the grace does.
func (s *Settings) DrainTimeout() time.Duration { return (s.Grace - s.Announce) * 4 / 5 }
