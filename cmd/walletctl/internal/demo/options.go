package demo

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/walletctl/walletctl/cmd/internal/config"
)

// Options of Run. All of it comes from the environment that `deploy/stack env`
// prints.
type Options struct {
	OwnerURL       config.Secret `env:"OWNER_DATABASE_URL,required"`
	GamingURL      config.Secret `env:"GAMING_DATABASE_URL,required"`
	CasinoURL      config.Secret `env:"CASINO_DATABASE_URL,required"`
	ReplicaURL     config.Secret `env:"DATABASE_REPLICA_URL,required"`
	GamingAMQPURL  config.Secret `env:"GAMING_AMQP_URL,required"`
	CasinoAMQPURL  config.Secret `env:"CASINO_AMQP_URL,required"`
	PayoutsAMQPURL config.Secret `env:"PAYOUTS_AMQP_URL,required"`
	LedgerKeysFile string        `env:"LEDGER_KEYS_FILE,required"`

	// Binaries is the folder with casino, gaming and walletctl.
	Binaries string
	// Out receives the account of the day.
	Out io.Writer
}

// The times that the demo shortens; production keeps the defaults.
const (
	retryBase  = 300 * time.Millisecond
	rpcTimeout = 2 * time.Second
	patience   = 20 * time.Second // for any one thing to happen
)

const shortened = "CREDIT_RETRY_BASE=300ms (default 30s), RPC_TIMEOUT=2s (10s), SWEEP_INTERVAL=5s (1m), LEDGER_HEARTBEAT=1s (5s)"

func (o *Options) binary(name string) (string, error) {
	path := filepath.Join(o.Binaries, name)
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("find the service %s beside walletctl: %w", name, err)
	}
	return path, nil
}
