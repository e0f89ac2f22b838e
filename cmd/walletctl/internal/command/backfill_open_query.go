package command

import (
	"context"
	"fmt"
	"iter"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/walletctl/walletctl/backfill"
	"github.com/walletctl/walletctl/cmd/internal/config"
	"github.com/walletctl/walletctl/walletcore"
)

// legacySettings lead to the platform that the balances come from.
type legacySettings struct {
	URL config.Secret `env:"LEGACY_DATABASE_URL"`
}

// balanceQuery is a query on the legacy database, in one read-only snapshot:
// both readings see the same.
type balanceQuery struct {
	pool  *pgxpool.Pool
	tx    pgx.Tx
	query string
}

// openLegacy opens the legacy database; the caller closes it.
func openLegacy(ctx context.Context, f *factory) (*pgxpool.Pool, error) {
	flags := map[string]string{}
	if f.config != "" {
		flags[config.FileVariable] = f.config
	}
	legacy, err := config.Load[legacySettings](config.Options{Flags: flags, Environ: f.environ})
	if err != nil {
		return nil, err
	}
	return f.open(ctx, settings{}, "LEGACY_DATABASE_URL", legacy.URL, 1)
}

// openQuery begins the snapshot.
func openQuery(ctx context.Context, f *factory, query string) (balanceSource, error) {
	pool, err := openLegacy(ctx, f)
	if err != nil {
		return nil, err
	}
	tx, err := pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		pool.Close()
		return nil, err
	}
	return &balanceQuery{pool: pool, tx: tx, query: query}, nil
}

func (s *balanceQuery) close() {
	_ = s.tx.Rollback(context.Background())
	s.pool.Close()
}

// Amounts come as their digits, whatever their type is there.
const readLegacy = `
select "user"::text, currency::text, real::text, bonus::text
from (%s) balances`

func (s *balanceQuery) read(ctx context.Context) iter.Seq2[backfill.Balance, error] {
	return func(yield func(backfill.Balance, error) bool) {
		rows, err := s.tx.Query(ctx, fmt.Sprintf(readLegacy, s.query))
		if err != nil {
			yield(backfill.Balance{}, fmt.Errorf("read the legacy database: %w", err))
			return
		}
		defer rows.Close()
		for n := 1; rows.Next(); n++ {
			balance, err := scanBalance(rows, n)
			if !yield(balance, err) || err != nil {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(backfill.Balance{}, fmt.Errorf("read the legacy database: %w", err))
		}
	}
}

func scanBalance(rows pgx.Rows, n int) (backfill.Balance, error) {
	b := backfill.Balance{Position: fmt.Sprintf("row %d of the query", n)}
	var real, bonus string
	if err := rows.Scan(&b.User, &b.Currency, &real, &bonus); err != nil {
		return b, fmt.Errorf("%s: %w", b.Position, err)
	}
	for text, money := range map[*string]*walletcore.Money{&real: &b.Real, &bonus: &b.Bonus} {
		var err error
		if *money, err = walletcore.ParseMoney(*text); err != nil {
			return b, fmt.Errorf("%s: %w", b.Position, err)
		}
	}
	return b, nil
}
