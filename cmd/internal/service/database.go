package service

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/walletctl/walletctl/cmd/internal/config"
	"github.com/walletctl/walletctl/cmd/internal/postgres"
	"github.com/walletctl/walletctl/migrations"
)

// Database says which database a service works on.
type Database struct {
	// Variable names where the URL comes from: "GAMING_DATABASE_URL".
	Variable string
	// URL of the database.
	URL config.Secret
	// Schema that must be fit to serve.
	Schema migrations.Schema
	// Configure, where set, has the last word on the pool.
	Configure func(*pgxpool.Config)
}

// Database waits for the database and returns its pool, which is closed after
// every part has ended. It refuses a schema that is behind or lacks a
// guarantee; from then on /readyz looks at both.
func (s *Service) Database(db Database) (*pgxpool.Pool, error) {
	pool, err := postgres.Open(s.Context(), postgres.Options{
		Variable:        db.Variable,
		URL:             db.URL,
		ApplicationName: s.Name,
		MaxConns:        s.settings.DatabaseMaxConns,
		Pooler:          s.settings.DatabasePooler,
		Wait:            s.settings.DatabaseWait,
		Logger:          s.Logger,
		Configure:       db.Configure,
	})
	if err != nil {
		return nil, err
	}
	if err := migrations.Check(s.Context(), pool, db.Schema); err != nil {
		pool.Close()
		return nil, err
	}
	s.OnClose(pool.Close)
	s.Checks.Register("database", pool.Ping)
	s.Checks.Register("schema", func(ctx context.Context) error { return migrations.Check(ctx, pool, db.Schema) })
	return pool, nil
}
