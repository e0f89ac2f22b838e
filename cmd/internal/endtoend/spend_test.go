package endtoend_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPlay_FiftyBetsInTheSameInstantNeverSpendTheSameMoney(t *testing.T) {
	t.Parallel()
	g := newGames(t, 3, nil)
	for _, d := range dialects() {
		g.spend(d, d.name+"-"+first)
	}
	g.requireSound()
}

// spend has a player with 10 bet 3 fifty times at once.
func (g *games) spend(d dialect, provider string) {
	t, user, say := g.t, "player-of-"+provider, calls(provider)
	t.Helper()
	g.fund(user, "deposit-"+provider, 10_00)
	bets := make([]call, 50)
	for i := range bets {
		bets[i] = say(d.bet(user, fmt.Sprint("b-", i), 3_00))
	}
	taken, refused := 0, -1
	for i, a := range g.atOnce(bets...) {
		if a.status == 200 {
			taken++
			continue
		}
		refused = i
		require.True(t, d.noFunds.is(a), "%s: %d %s", provider, a.status, a.body)
		if d.noFunds.balance != nil {
			require.Equal(t, d.money(1_00), a.at(d.noFunds.balance...), "%s: the balance in %s", provider, a.body)
		}
	}
	require.Equal(t, 3, taken, "%s: bets that were taken", provider)
	require.Equal(t, 1_00, g.balance(user))
	require.Equal(t, "nothing", g.story(provider, fmt.Sprint("b-", refused)), "a refusal burns no id")

	// The same id works once there is money: by a deposit, and by a win.
	g.fund(user, "another-deposit-"+provider, 2_00)
	a := g.one(bets[refused])
	require.Equal(t, 200, a.status, "%s: %s", provider, a.body)
	require.Equal(t, 0, g.balance(user))
	id := fmt.Sprint("b-", 50)
	require.True(t, d.noFunds.is(g.one(say(d.bet(user, id, 3_00)))))
	require.Equal(t, 200, g.one(say(d.win(user, "w-1", 4_00))).status)
	require.Equal(t, 200, g.one(say(d.bet(user, id, 3_00))).status)
	again := g.one(say(d.bet(user, id, 3_00)))
	require.Equal(t, d.money(1_00), again.at("balance"), "%s: %s", provider, again.body)
	require.Equal(t, 1_00, g.balance(user))
	require.Equal(t, 5, g.count(`select count(*) from gaming.entries where kind = 'bet' and wallet_id = $1`, player(user).ID()))
}
