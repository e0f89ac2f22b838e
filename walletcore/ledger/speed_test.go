package ledger_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// benchWallets is how many wallets the benchmarks spread over, as the pgbench
// scripts do that they are compared with.
const benchWallets = 10_000

// BenchmarkCreditDeposit posts credits over many wallets, all guarantees on,
// with the given number of callers.
func BenchmarkCreditDeposit(b *testing.B) {
	bench := newBench(b)
	bench.openWallets(b)
	var next atomic.Int64
	for _, callers := range []int{1, 8, 32} {
		b.Run(fmt.Sprintf("callers=%d", callers), func(b *testing.B) {
			config, err := pgxpool.ParseConfig(bench.db.URL(b, wallettest.Gaming))
			require.NoError(b, err)
			config.MaxConns = int32(callers)
			pool, err := pgxpool.NewWithConfig(context.Background(), config)
			require.NoError(b, err)
			b.Cleanup(pool.Close)
			ledger := bench.newLedger(pool)
			b.SetParallelism(max(1, callers/2)) // times GOMAXPROCS, 2 on the machine of the figures
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					n := next.Add(1)
					credit := bench.request(fmt.Sprintf("tx-%d", n), "0.01")
					credit.Wallet.User = fmt.Sprintf("user-%d", n*7919%benchWallets)
					if _, err := ledger.CreditDeposit(context.Background(), credit); err != nil {
						b.Error(err)
						return
					}
				}
			})
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "credits/s")
		})
	}
}
