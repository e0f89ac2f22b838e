package play_test

import (
	"bytes"
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/provider"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// A bet whose connection dies before or after the COMMIT, with the database
// away for as long as the call may take: told to send again, and debited once
// when it does.
func TestBet_ThatWasNotDecidedIsDebitedOnceWhenItComesAgain(t *testing.T) {
	t.Parallel()
	for title, action := range map[string]wallettest.Action{"before": wallettest.CutBefore, "after": wallettest.CutAfterReply} {
		eachDialect(t, title, func(t *testing.T, name string) {
			b := newBench(t)
			b.fund("100")
			proxy, url := wallettest.NewProxyFor(t, b.db.URL(t, wallettest.Gaming))
			pool, err := pgxpool.New(t.Context(), url)
			require.NoError(t, err)
			t.Cleanup(pool.Close)
			b.open(pool, "", time.Second)
			b.mustSay(name, saying{kind: provider.Bet, id: `"warm-up"`, amount: "1"}) // every statement is prepared
			var seen atomic.Int32
			proxy.OnRequest(func(chunk []byte) wallettest.Action {
				// The id travels twice: for the look-up, then to be written.
				if bytes.Contains(chunk, []byte("lost-1")) && seen.Add(1) == 2 {
					proxy.Refuse(true)
					return action
				}
				return wallettest.Pass
			})
			bet := saying{kind: provider.Bet, id: `"lost-1"`, amount: "10"}
			require.GreaterOrEqual(t, b.say(name, bet).status, 500, "nobody knows: never a decline")
			proxy.OnRequest(nil)
			proxy.Refuse(false)
			require.Eventually(t, func() bool { return b.say(name, bet).status < 500 }, 30*time.Second, 10*time.Millisecond)
			b.requireBalance("89")
			b.mustSay(name, bet)
			b.requireBalance("89")
		})
	}
}

// A bet that waits for its wallet longer than its provider does: the rollback
// finds it, or it finds the rollback.
func TestRollback_OfABetThatStillWaitsEndsInOneOfTwoStates(t *testing.T) {
	t.Parallel()
	eachDialect(t, "", func(t *testing.T, name string) {
		b := newBench(t)
		b.fund("100")
		b.open(b.db.Pool(t, wallettest.Gaming), "", 500*time.Millisecond)
		holder, err := b.db.Pool(t, wallettest.Owner).Begin(t.Context())
		require.NoError(t, err)
		defer func() { _ = holder.Rollback(context.WithoutCancel(t.Context())) }()
		_, err = holder.Exec(t.Context(), `select 1 from gaming.wallets for update`)
		require.NoError(t, err)

		bet := saying{kind: provider.Bet, id: `"k1"`, amount: "10"}
		refund := saying{kind: provider.Refund, id: `"k1"`, own: `"r1"`}
		began := time.Now()
		require.GreaterOrEqual(t, b.say(name, bet).status, 500)
		require.GreaterOrEqual(t, b.say(name, refund).status, 500)
		require.Less(t, time.Since(began), 5*time.Second, "answered before a provider stops to wait")
		require.NoError(t, holder.Rollback(t.Context()))

		for _, again := range []saying{refund, bet} { // whose answers depend on what became of the bet
			require.Eventually(t, func() bool { return b.say(name, again).status < 500 }, 30*time.Second, 10*time.Millisecond)
		}
		b.requireBalance("100")
		require.Equal(t, 1, b.count(`select count(*) from gaming.entries where kind = 'refund'`))
		require.Zero(t, b.count(`
select count(*)
from gaming.entries bet
join gaming.entries refund on refund.wallet_id = bet.wallet_id and refund.external_id = bet.external_id
where bet.kind = 'bet' and refund.kind = 'refund' and (bet.mark is null) <> (refund.mark is null)`))
	})
}
