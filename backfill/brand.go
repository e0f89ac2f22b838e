package backfill

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/shopspring/decimal"

	"github.com/walletctl/walletctl/walletcore"
)

// Brand is a brand and how far it is.
type Brand struct {
	ID      string
	State   walletcore.BrandState
	Frozen  bool
	Changes []Change // its steps, the first one first
}

const listBrands = `
select brand_id, state::text, frozen
from gaming.brands
where $1 = '' or brand_id = $1
order by brand_id`

// Brands lists every brand that anybody named: any other is closed.
func Brands(ctx context.Context, pool *pgxpool.Pool) ([]Brand, error) {
	brands, err := readBrands(ctx, pool, "")
	if err != nil {
		return nil, err
	}
	for i := range brands {
		if brands[i].Changes, err = changesOf(ctx, pool, brands[i].ID); err != nil {
			return nil, err
		}
	}
	return brands, nil
}

func readBrands(ctx context.Context, pool *pgxpool.Pool, brand string) ([]Brand, error) {
	rows, err := pool.Query(ctx, listBrands, brand)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (b Brand, err error) {
		err = row.Scan(&b.ID, &b.State, &b.Frozen)
		return b, err
	})
}

// State returns the brand's state.
func (o *Opening) State(ctx context.Context) (walletcore.BrandState, error) {
	brands, err := readBrands(ctx, o.o.Pool, o.o.Brand)
	if err != nil || len(brands) == 0 {
		return walletcore.BrandClosed, err
	}
	return brands[0].State, nil
}

const sumWallets = `
select currency, count(*), sum(real)::text, sum(bonus)::text
from gaming.wallets
where brand_id = $1
group by currency
order by currency`

// Totals returns what the brand's wallets hold, by currency.
func (o *Opening) Totals(ctx context.Context) (Totals, error) {
	return totalsOf(ctx, o.o.Pool, o.o.Brand)
}

// querier is a pool or a transaction.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

func totalsOf(ctx context.Context, db querier, brand string) (Totals, error) {
	rows, err := db.Query(ctx, sumWallets, brand)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (Total, error) {
		var t Total
		var real, bonus string
		if err := row.Scan(&t.Currency, &t.Wallets, &real, &bonus); err != nil {
			return t, err
		}
		if t.Real, err = decimal.NewFromString(real); err != nil {
			return t, err
		}
		t.Bonus, err = decimal.NewFromString(bonus)
		return t, err
	})
}
