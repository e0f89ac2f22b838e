package play_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/provider"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// Wins are retried for hours or days, and depend on no session.
func TestWin_FortyDaysLaterGetsItsReceipt(t *testing.T) {
	t.Parallel()
	eachDialect(t, "", func(t *testing.T, name string) {
		b := newBench(t, func(o *provider.ProfileOptions) { o.Policy.DuplicateBalance = provider.First })
		b.fund("100")
		b.now = time.Now().Add(-40 * 24 * time.Hour)
		win := saying{kind: provider.Win, id: `"w1"`, amount: "5"}
		refund := saying{kind: provider.Refund, id: `"b1"`, own: `"r1"`, round: `"2"`}
		b.mustSay(name, saying{kind: provider.Bet, id: `"b1"`, amount: "10", round: `"2"`})
		first := b.mustSay(name, win)
		b.now = time.Now()
		require.Equal(t, first.body["balance"], b.mustSay(name, win).body["balance"])
		b.requireBalance("95")
		b.mustSay(name, refund) // for the first time, 40 days after its bet
		b.mustSay(name, saying{kind: provider.Win, id: `"w2"`, amount: "1"})
		b.requireBalance("106")
	})
}

func TestWin_OfAFrozenWalletComesIn(t *testing.T) {
	t.Parallel()
	eachDialect(t, "", func(t *testing.T, name string) {
		b := newBench(t)
		b.fund("100")
		b.mustSay(name, saying{kind: provider.Bet, id: `"b1"`, amount: "10"})
		b.mustSay(name, saying{kind: provider.Bet, id: `"b2"`, amount: "10", round: `"2"`})
		_, err := b.db.Pool(t, wallettest.Admin).Exec(t.Context(), `select gaming.freeze_wallet($1, true, 'a chargeback')`, player.ID())
		require.NoError(t, err)
		got := b.say(name, saying{kind: provider.Bet, id: `"b3"`, amount: "1"})
		require.GreaterOrEqual(t, got.status, 400)
		require.Less(t, got.status, 500)
		b.mustSay(name, saying{kind: provider.Win, id: `"w1"`, amount: "25"})
		b.mustSay(name, saying{kind: provider.Refund, id: `"b2"`, own: `"r2"`, round: `"2"`})
		b.mustSay(name, saying{kind: provider.Bet, id: `"b1"`, amount: "10"}) // an old one still gets its receipt
		b.requireBalance("115")
	})
}

// Several wins a round, one of zero, and one without a bet.
func TestWin_ManyOfARoundAndOneWithoutABet(t *testing.T) {
	t.Parallel()
	eachDialect(t, "", func(t *testing.T, name string) {
		b := newBench(t)
		b.fund("100")
		b.mustSay(name, saying{kind: provider.Bet, id: `"b1"`, amount: "10"})
		for range 2 {
			b.mustSay(name, saying{kind: provider.Win, id: `"w1"`, amount: "1"})
			b.mustSay(name, saying{kind: provider.Win, id: `"w2"`, amount: "2"})
			b.mustSay(name, saying{kind: provider.Win, id: `"w3"`, amount: "0.00000000000000000000000"})
			b.mustSay(name, saying{kind: provider.Win, id: `"jackpot"`, amount: "4", round: `0`})
		}
		b.requireBalance("97")
		require.Equal(t, 4, b.count(`select count(*) from gaming.entries where kind = 'win' and mark is null`))
		require.Equal(t, 1, b.count(`select count(*) from gaming.entries where kind = 'win' and real_after = real_before`))
	})
}

func TestWin_WithoutABetMayBeRefused(t *testing.T) {
	t.Parallel()
	eachDialect(t, "", func(t *testing.T, name string) {
		b := newBench(t, func(o *provider.ProfileOptions) { o.Policy.WinWithoutBet = provider.Refused })
		b.fund("100")
		got := b.say(name, saying{kind: provider.Win, id: `"w1"`, amount: "1"})
		require.GreaterOrEqual(t, got.status, 400)
		require.Less(t, got.status, 500)
		b.mustSay(name, saying{kind: provider.Bet, id: `"b1"`, amount: "1"})
		b.mustSay(name, saying{kind: provider.Win, id: `"w1"`, amount: "1"}) // the refusal did not burn the id
		b.requireBalance("100")
	})
}

// A win is born with its wallet where there is none yet.
func TestWin_OfAPlayerWithoutAWalletOpensOne(t *testing.T) {
	t.Parallel()
	eachDialect(t, "", func(t *testing.T, name string) {
		b := newBench(t)
		b.mustSay(name, saying{kind: provider.Win, id: `"w1"`, amount: "7"})
		b.requireBalance("7")
	})
}
