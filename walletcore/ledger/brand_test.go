package ledger_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// newcomer is a movement of a player whose brand nobody opened.
func (b *bench) newcomer(kind walletcore.Kind, id string) ledger.Movement {
	return b.play(kind, id, "1.00", func(m *ledger.Movement) {
		m.Wallet.Brand = "newcomer"
		if kind == walletcore.KindAdjustment {
			m.Amount, m.Change = walletcore.Money{}, walletcore.Parts{Real: m.Amount}
		}
	})
}

func (b *bench) requireNotLive(state walletcore.BrandState, outcome ledger.Outcome) {
	b.t.Helper()
	var notLive *walletcore.NotLiveError
	require.ErrorAs(b.t, outcome.Err, &notLive)
	require.Equal(b.t, &walletcore.NotLiveError{Brand: "newcomer", State: state}, notLive)
	require.True(b.t, notLive.Retryable())
}

func TestPost_ABrandThatIsNotLiveIsToldToRetryAndLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	kinds := []walletcore.Kind{
		walletcore.KindDeposit, walletcore.KindWithdrawal, walletcore.KindWithdrawalReversal, walletcore.KindBet,
		walletcore.KindWin, walletcore.KindRefund, walletcore.KindWinReversal, walletcore.KindBonusGrant,
		walletcore.KindBonusForfeit, walletcore.KindBonusConversion, walletcore.KindAdjustment,
	}
	requireNothing := func(state walletcore.BrandState) {
		for _, kind := range kinds {
			outcomes, err := b.post(b.newcomer(kind, "x-1"))
			require.NoError(t, err)
			b.requireNotLive(state, outcomes[0])
		}
		require.Zero(t, b.count(`select count(*) from gaming.wallets`), "no wallet is born")
		require.Zero(t, b.count(`select count(*) from gaming.entries`), "no tombstone is left")
		require.Zero(t, b.count(`select count(*) from gaming.cases`))
	}
	requireNothing(walletcore.BrandClosed)
	b.move("newcomer", walletcore.BrandImporting)
	requireNothing(walletcore.BrandImporting)
	require.Zero(t, b.ledger.Stats().Refused.Load())
	require.EqualValues(t, 2*len(kinds), b.ledger.Stats().NotLive.Load())

	b.move("newcomer", walletcore.BrandLive)
	b.must(b.newcomer(walletcore.KindDeposit, "x-1"), b.newcomer(walletcore.KindBet, "x-1"))
	b.requireClosed()
}

func TestPost_ABrandThatIsNotLiveHurtsNoNeighbourInItsBatch(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	results, err := b.ledger.Post(t.Context(), []ledger.Request{
		{b.newcomer(walletcore.KindDeposit, "d-1")},
		{b.movement("d-2", "10.00")},
		{b.movement("d-3", "10.00"), b.newcomer(walletcore.KindDeposit, "d-4")},
	})
	require.NoError(t, err)
	b.requireNotLive(walletcore.BrandClosed, results[0].Outcomes[0])
	require.NoError(t, results[1].Outcomes[0].Err)
	require.ErrorIs(t, results[2].Outcomes[0].Err, ledger.ErrNotPosted, "a request stands whole or not at all")
	b.requireNotLive(walletcore.BrandClosed, results[2].Outcomes[1])
	b.requireBalance("10", "0")
	b.requireClosed()
}

// Fifty players bet against a brand that goes live: each is told to retry, or
// posted, and what was told to retry before is posted after.
func TestPost_WhileABrandGoesLiveEachIsRefusedOrPosted(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.move("newcomer", walletcore.BrandImporting)
	var refused, posted atomic.Int64
	var wg sync.WaitGroup
	waiting := make(chan struct{}, 50)
	for i := range 50 {
		wg.Go(func() {
			m := b.newcomer(walletcore.KindDeposit, fmt.Sprintf("d-%d", i))
			m.Wallet.User = fmt.Sprintf("u-%d", i%10)
			for {
				results, err := b.ledger.Post(t.Context(), []ledger.Request{{m}})
				if err != nil {
					t.Errorf("post %d: %v", i, err)
					return
				}
				var notLive *walletcore.NotLiveError
				switch err := results[0].Err(); {
				case errors.As(err, &notLive):
					refused.Add(1)
					select {
					case waiting <- struct{}{}:
					default:
					}
				case err != nil:
					t.Errorf("post %d: %v", i, err)
					return
				default:
					posted.Add(1)
					return
				}
			}
		})
	}
	for range 50 {
		<-waiting
	}
	require.Zero(t, b.count(`select count(*) from gaming.wallets`))
	b.move("newcomer", walletcore.BrandLive)
	wg.Wait()
	require.EqualValues(t, 50, posted.Load())
	require.GreaterOrEqual(t, refused.Load(), int64(50))
	require.Equal(t, 50, b.count(`select count(*) from gaming.entries where kind = 'deposit'`))
	require.Equal(t, 10, b.count(`select count(*) from gaming.wallets`))
	b.requireClosed()
}

// move takes a brand one step.
func (b *bench) move(brand string, state walletcore.BrandState) {
	b.t.Helper()
	_, err := b.db.Pool(b.t, wallettest.Backfill).Exec(b.t.Context(),
		`select gaming.move_brand($1, $2::text::gaming.brand_state, '', null, 'here', 'test')`, brand, string(state))
	require.NoError(b.t, err)
}
