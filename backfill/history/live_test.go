package history_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/backfill/history"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

func movementOf(m *movement, kind walletcore.Kind) ledger.Movement {
	amount := m.real.Add(m.bonus)
	if amount.Sign() < 0 {
		amount = amount.Neg()
	}
	return ledger.Movement{
		Wallet: walletcore.WalletKey{Brand: legacy, User: m.user, Currency: "EUR"}, Kind: kind, ExternalID: m.id, Amount: amount,
		Actor: "provider", RoundID: m.round, OccurredAt: m.at,
	}
}

// What gateways and providers send again across the cutover finds its receipt.
func TestRun_AResendOfTheHistoryMovesNothing(t *testing.T) {
	t.Parallel()
	p := live(20, 3, 30)
	s := newSuite(t, p)
	_, err := s.run(p.csv())
	require.NoError(t, err)
	l := s.goLive()
	for i := range p.movements {
		m := &p.movements[i]
		results, err := l.Post(t.Context(), []ledger.Request{{movementOf(m, walletcore.Kind(m.kind))}})
		require.NoError(t, err)
		require.NoError(t, results[0].Err(), m.kind)
		require.True(t, results[0].Outcomes[0].Posted.Replayed, "%s %s", m.kind, m.id)
		require.Equal(t, m.after.Real, results[0].Outcomes[0].Posted.Receipt.RealAfter)
	}
	s.requireBalances()
}

func TestRun_ARefundOfABetOfTheHistoryGivesItBackOnce(t *testing.T) {
	t.Parallel()
	p := live(21, 1, 30)
	s := newSuite(t, p)
	_, err := s.run(p.csv())
	require.NoError(t, err)
	l := s.goLive()
	var bet *movement
	for _, m := range p.of("player-0") {
		if m.kind == "bet" {
			bet = m
		}
	}
	for range 3 {
		refund := movementOf(bet, walletcore.KindRefund)
		refund.Amount = walletcore.Money{}
		results, err := l.Post(t.Context(), []ledger.Request{{refund}})
		require.NoError(t, err)
		require.NoError(t, results[0].Err())
	}
	want := p.balances["player-0"]
	want.Real = want.Real.Sub(bet.real)
	p.balances["player-0"] = want
	s.requireBalances()
}

// Players go on while the history comes in below them: nothing fails.
func TestRun_LiveMovementsGoOnMeanwhile(t *testing.T) {
	t.Parallel()
	p := live(22, 30, 40)
	s := newSuite(t, p)
	l := s.goLive()
	ctx, stop := context.WithCancel(t.Context())
	var wait sync.WaitGroup
	var posted atomic.Int64
	for worker := range 4 {
		wait.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				user := fmt.Sprintf("player-%d", (n*7+worker)%30)
				_, err := l.CreditDeposit(t.Context(), walletcore.DepositCredit{
					DepositID: fmt.Sprintf("new-%d-%d", worker, n), Amount: walletcore.MustParseMoney("1"), OccurredAt: time.Now(),
					Wallet: walletcore.WalletKey{Brand: legacy, User: user, Currency: "EUR"},
				})
				if err != nil {
					t.Errorf("a deposit failed: %v", err)
					return
				}
				posted.Add(1)
			}
		})
	}
	result, err := s.run(p.csv(), func(o *history.Options) { o.BatchRows = 50 })
	stop()
	wait.Wait()
	require.NoError(t, err)
	require.EqualValues(t, 30, result.Written)
	require.Positive(t, posted.Load())
	wallettest.RequireClosed(t, s.owner, s.keys)
	report := s.verify()
	require.True(t, report.Proved())
}
