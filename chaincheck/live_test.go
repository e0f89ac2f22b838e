package chaincheck_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/walletctl/walletctl/chaincheck"
	"github.com/walletctl/walletctl/chaincheck/chaintest"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// The check reads wallets and entries in different snapshots while both move.
func TestRun_NeverAFalseAlarmWhileMoneyMoves(t *testing.T) {
	t.Parallel()
	f := newFixture(t, chaintest.Spec{Wallets: 20, Deposits: 3})
	l, err := ledger.New(ledger.Options{Pool: f.db.Pool(t, wallettest.Gaming), Keys: f.keys})
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	var players errgroup.Group
	for p := range 4 {
		players.Go(func() error {
			for i := 0; ctx.Err() == nil; i++ {
				// New wallets are born on the way as well.
				credit := walletcore.DepositCredit{
					DepositID: uuid.NewString(), Wallet: f.spec.Wallet((p + i*7) % 200),
					Amount: walletcore.MustParseMoney("1.50"), OccurredAt: time.Now(),
				}
				if _, err := l.CreditDeposit(context.Background(), credit); err != nil {
					return fmt.Errorf("player %d: %w", p, err)
				}
			}
			return nil
		})
	}
	state := t.TempDir()
	for i := range 12 {
		order := []chaincheck.Order{chaincheck.OrderKey, chaincheck.OrderTable}[i/2%2]
		requireClosed(t, f.run(t, chaincheck.Options{All: i%2 == 0, Order: order, StateDir: state, BatchSize: 50, Workers: 3}))
	}
	stop()
	require.NoError(t, players.Wait())
	wallettest.WaitForReplica(t)
	report := f.run(t, chaincheck.Options{StateDir: state})
	requireClosed(t, report)
	require.Greater(t, report.Checkpoint.Wallets, int64(20), "wallets were born on the way")
}
