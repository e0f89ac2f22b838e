package bench_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/internal/bench"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// crediter is the ledger, or casino's client of it.
type crediter interface {
	CreditDeposit(ctx context.Context, c walletcore.DepositCredit) (walletcore.Posted, error)
}

// credits are the credits of a ledger that is called directly.
func credits(t *testing.T, s settings) []bench.Subject {
	db := newDatabase(t)
	one, many := newLedger(t, db.Database, 1), newLedger(t, db.Database, 32)
	openWallets(t, many)
	db.load(t, "schema.sql")
	return s.wanted(
		bench.Subject{
			Name: "credit, 1 caller", Unit: "credits/s", Run: db.ready(t, credit(one, 1, s.seconds)),
			Limits: []bench.Limit{
				{Name: "pgbench, one statement", Run: db.ready(t, db.pgbenchRate(t, "one_statement.sql", 1, s.seconds))},
			},
		},
		bench.Subject{
			Name: "credits, 32 callers", Unit: "credits/s", Run: db.ready(t, credit(many, 32, s.seconds)),
			Limits: []bench.Limit{
				{Name: "pgbench, five statements", Goal: 1, Run: db.ready(t, db.pgbenchRate(t, "five_statements.sql", 32, s.seconds))},
				{Name: "pgbench, one statement", Goal: 0.45, Run: db.ready(t, db.pgbenchRate(t, "one_statement.sql", 32, s.seconds))},
			},
		},
	)
}

// newLedger returns a ledger as gaming has it: in its role, with a connection
// for each caller.
func newLedger(t *testing.T, db *wallettest.Database, callers int32) *ledger.Ledger {
	config, err := pgxpool.ParseConfig(db.URL(t, wallettest.Gaming))
	require.NoError(t, err)
	config.MaxConns = callers
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	l, err := ledger.New(ledger.Options{Pool: pool, Keys: wallettest.Keys(t)})
	require.NoError(t, err)
	return l
}

// openWallets gives birth to all the wallets.
func openWallets(t *testing.T, l *ledger.Ledger) {
	var opened atomic.Int64
	err := together(32, func() (bool, error) {
		n := opened.Add(1)
		if n > wallets {
			return false, nil
		}
		_, err := l.CreditDeposit(t.Context(), request(fmt.Sprintf("first-%d", n), n))
		return true, err
	})
	require.NoError(t, err)
}

// number of a credit, counted over everything that is measured, makes its id.
var credited atomic.Int64

// credit measures how many credits a second go through with so many callers.
func credit(c crediter, callers int, length time.Duration) bench.Measurement {
	return func(ctx context.Context) (float64, error) {
		if _, err := rate(ctx, c, callers, length/10); err != nil {
			return 0, err // connections and plans are made now
		}
		return rate(ctx, c, callers, length)
	}
}

func rate(ctx context.Context, c crediter, callers int, length time.Duration) (float64, error) {
	var done atomic.Int64
	begin := time.Now()
	err := together(callers, func() (bool, error) {
		n := credited.Add(1)
		posted, err := c.CreditDeposit(ctx, request(fmt.Sprintf("tx-%d", n), n*7919))
		if err == nil && posted.Replayed {
			err = fmt.Errorf("credit %d is no new one", n)
		}
		done.Add(1)
		return time.Since(begin) < length, err
	})
	return float64(done.Load()) / time.Since(begin).Seconds(), err
}

func request(id string, wallet int64) walletcore.DepositCredit {
	return walletcore.DepositCredit{
		DepositID:  id,
		Wallet:     walletcore.WalletKey{Brand: "acme", User: fmt.Sprintf("user-%d", wallet%wallets), Currency: "EUR"},
		Amount:     walletcore.MustParseMoney("0.01"),
		OccurredAt: time.Now(),
	}
}

// together runs a step in so many goroutines, each until it says that it was
// the last one, and returns the first error.
func together(callers int, step func() (more bool, err error)) error {
	var all sync.WaitGroup
	var failed atomic.Pointer[error]
	for range callers {
		all.Go(func() {
			for failed.Load() == nil {
				more, err := step()
				if err != nil {
					failed.CompareAndSwap(nil, &err)
				}
				if !more {
					return
				}
			}
		})
	}
	all.Wait()
	if err := failed.Load(); err != nil {
		return *err
	}
	return nil
}
