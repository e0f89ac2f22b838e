package command

import (
	"context"
	"log/slog"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/walletctl/walletctl/chaincheck"
	"github.com/walletctl/walletctl/cmd/internal/config"
	"github.com/walletctl/walletctl/walletcore"
)

// mostConns bounds the pool of a check; the check itself takes --workers of it.
const mostConns = 64

// deps opens what the check reads. A replica must be named: falling back to
// the primary unasked would put the load of a full check on the money path.
func (c *chaincheckFlags) deps(ctx context.Context, f *factory, s settings) (chaincheck.Deps, func(), error) {
	keys, err := ledgerKeys(s)
	if err != nil {
		return chaincheck.Deps{}, nil, err
	}
	pool, err := c.open(ctx, f, s)
	if err != nil {
		return chaincheck.Deps{}, nil, err
	}
	deps := chaincheck.Deps{Pool: pool, Keys: keys, Clock: f.now}
	if f.streams.ErrTerminal {
		deps.Logger = slog.New(slog.DiscardHandler) // the bar tells
	} else {
		deps.Logger = slog.New(slog.NewTextHandler(f.streams.Err, nil))
	}
	return deps, pool.Close, nil
}

func (c *chaincheckFlags) open(ctx context.Context, f *factory, s settings) (*pgxpool.Pool, error) {
	if c.primary {
		return f.open(ctx, s, "GAMING_DATABASE_URL", s.GamingURL, mostConns)
	}
	if s.ReplicaURL == "" {
		return nil, &config.Error{
			Variable: "DATABASE_REPLICA_URL", Problem: "is not set",
			Try: "set DATABASE_REPLICA_URL to a replica, or give --primary to read the primary",
		}
	}
	return f.open(ctx, s, "DATABASE_REPLICA_URL", s.ReplicaURL, mostConns)
}

// ledgerKeys returns nil where no key file is named: the check then says that
// hashes were not verified.
func ledgerKeys(s settings) (*walletcore.Keyring, error) {
	if s.KeysFile == "" {
		return nil, nil
	}
	keys, err := walletcore.LoadKeyring(s.KeysFile)
	if err != nil {
		return nil, &config.Error{Variable: "LEDGER_KEYS_FILE", Problem: "cannot be used: " + err.Error(), Try: "correct the path or the file; without the variable hashes are not verified"}
	}
	return keys, nil
}
