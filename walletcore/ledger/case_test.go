package ledger_test

import (
	"bytes"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// requestsOf makes each movement a request of its own.
func requestsOf(movements ...ledger.Movement) []ledger.Request {
	var all []ledger.Request
	for _, m := range movements {
		all = append(all, ledger.Request{m})
	}
	return all
}

// cases returns gaming's open cases, as kind, subject and detail.
func (b *bench) cases() []string {
	b.t.Helper()
	rows, err := b.owner.Query(b.t.Context(), `
select kind || ' ' || subject_id || ' by ' || cause || ': ' || detail::text
from gaming.cases
where closed_at is null
order by id`)
	require.NoError(b.t, err)
	all, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(b.t, err)
	return all
}

func TestCase_AConflictOfKeysIsOneOpenCase(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.must(b.play(walletcore.KindDeposit, "d-1", "10"))
	other := b.play(walletcore.KindDeposit, "d-1", "11")
	for range 3 {
		outcomes, err := b.post(other)
		require.NoError(t, err)
		var conflict *walletcore.ConflictError
		require.ErrorAs(t, outcomes[0].Err, &conflict)
	}
	all := b.cases()
	require.Len(t, all, 1)
	wallet := other.Wallet.ID().String()
	require.Contains(t, all[0], "key_conflict deposit d-1 "+wallet+" by ")
	for _, part := range []string{`"field": "amount"`, `"stored": "10.00000000"`, `"given": "11.00000000"`, wallet} {
		require.Contains(t, all[0], part)
	}
	require.EqualValues(t, 1, b.ledger.Stats().CasesOpened.Load())

	// A person closed it; the same trouble is new work.
	_, err := b.owner.Exec(t.Context(), `update gaming.cases set closed_at = now(), resolution = 'told them'`)
	require.NoError(t, err)
	_, err = b.post(other)
	require.NoError(t, err)
	require.Len(t, b.cases(), 1)
	b.requireClosed()
}

func TestCase_AConflictOfUsersNamesNobody(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.must(b.play(walletcore.KindDeposit, "d-1", "10"))
	other := b.play(walletcore.KindDeposit, "d-1", "10")
	other.Wallet.User = "jane@example.com"
	_, err := b.post(other)
	require.NoError(t, err)
	all := b.cases()
	require.Len(t, all, 1)
	require.Contains(t, all[0], `"field": "user"`)
	require.Contains(t, all[0], other.Wallet.ID().String())
	require.NotContains(t, all[0], "jane")
	require.NotContains(t, all[0], b.play(walletcore.KindDeposit, "x", "1").Wallet.User)
}

func TestCase_OverflowAndAReversalThatTheBalanceDoesNotCover(t *testing.T) {
	t.Parallel()
	b := funded(t)
	b.must(b.play(walletcore.KindBet, "b-1", "10"), b.play(walletcore.KindWin, "w-1", "10"), b.play(walletcore.KindBet, "b-2", "149"))
	b.mustRefuse(walletcore.RefusedNoFunds, b.play(walletcore.KindWinReversal, "w-1", "0"))
	b.mustRefuse(walletcore.RefusedNoFunds, b.play(walletcore.KindBet, "b-3", "10"))
	b.mustRefuse(walletcore.RefusedOverflow, b.play(walletcore.KindBonusGrant, "g-9", "9999999999.99"))
	all := b.cases()
	require.Len(t, all, 2, "a bet without money is nobody's work: %q", all)
	require.Contains(t, all[0], "reversal_refused win_reversal w-1 ")
	require.Contains(t, all[1], "balance_overflow bonus_grant g-9 ")
	b.requireClosed()
}

func TestCase_TenResendsAtOnceAreOneCase(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.must(b.play(walletcore.KindDeposit, "d-1", "10"))
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			outcomes, err := b.ledger.Post(t.Context(), requestsOf(b.play(walletcore.KindDeposit, "d-1", "11")))
			if err != nil || outcomes[0].Outcomes[0].Err == nil {
				t.Error("no conflict:", err)
			}
		})
	}
	all.Wait()
	require.Len(t, b.cases(), 1)
}

// The answer is the same whether the case could be opened or not.
func TestCase_OneThatCannotBeOpenedChangesNoAnswer(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	proxy, l := throughProxy(t, b)
	proxy.OnRequest(func(chunk []byte) wallettest.Action {
		if bytes.Contains(chunk, []byte("gaming.cases")) {
			return wallettest.CutBefore
		}
		return wallettest.Pass
	})
	results, err := l.Post(t.Context(), requestsOf(b.movement("warm-up", "2.00"), b.movement("warm-up", "1.00")))
	require.NoError(t, err)
	var conflict *walletcore.ConflictError
	require.ErrorAs(t, results[0].Outcomes[0].Err, &conflict)
	require.True(t, results[1].Outcomes[0].Posted.Replayed)
	require.EqualValues(t, 1, l.Stats().CasesLost.Load())
	require.Empty(t, b.cases())
}
