package endtoend_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPlay_DuplicatesAtOnceOverThreeProcessesMoveMoneyOnceAndGetOneAnswer(t *testing.T) {
	t.Parallel()
	g := newGames(t, 3, nil)
	for _, d := range dialects() {
		for _, balance := range []string{first, current} {
			g.duplicates(d, d.name+"-"+balance, balance)
		}
	}
	g.requireSound()
}

// duplicates has a player's every movement come many times.
func (g *games) duplicates(d dialect, provider, policy string) {
	t, user, say := g.t, "player-of-"+provider, calls(provider)
	t.Helper()
	g.fund(user, "deposit-"+provider, 100_00)

	a := g.requireOneAnswer(d, 1, times(8, say(d.bet(user, "b-1", 10_00))))
	require.Equal(t, d.money(90_00), a.at("balance"), "%s: %s", provider, a.body)
	bet := say(d.bet(user, "b-2", 10_00))
	early := g.requireOneAnswer(d, 1, times(50, bet))
	require.Equal(t, d.money(80_00), early.at("balance"))
	require.Equal(t, 200, g.one(say(d.bet(user, "b-3", 5_00))).status)

	late := g.requireOneAnswer(d, 0, times(8, bet))
	require.Equal(t, early.at(d.transaction...), late.at(d.transaction...), "%s: another id for the same bet", provider)
	require.Equal(t, d.money(map[string]int{first: 80_00, current: 75_00}[policy]), late.at("balance"), "%s: %s", provider, late.body)

	a = g.requireOneAnswer(d, 1, times(50, say(d.win(user, "w-1", 20_00))))
	require.Equal(t, d.money(95_00), a.at("balance"))
	a = g.requireOneAnswer(d, 1, times(50, say(d.refund(user, "b-2"))))
	require.Equal(t, d.money(105_00), a.at("balance"))
	require.Equal(t, 105_00, g.balance(user))

	never := g.requireOneAnswer(d, 1, times(8, say(d.refund(user, "never"))))
	require.True(t, d.unknown.is(never), "%s: %s", provider, never.body)
	require.Equal(t, 105_00, g.balance(user))
	require.Equal(t, "refund tombstone", g.story(provider, "never"))
	require.Equal(t, "bet, refund", g.story(provider, "b-2"))
	const moved = `select count(*) from gaming.entries where wallet_id = $1 and mark is null and seq > 0`
	require.Equal(t, 6, g.count(moved, player(user).ID()), "%s: a deposit, three bets, a win and a refund", provider)
}

// requireOneAnswer sends all calls at once, each of which must get the same
// answer, and returns it. Where the dialect says which of them is replayed, so
// many must be told that theirs was the first.
func (g *games) requireOneAnswer(d dialect, fresh int, all []call) answer {
	t := g.t
	t.Helper()
	const replayed, notReplayed = `"replayed":true`, `"replayed":false`
	firsts := 0
	answers := g.atOnce(all...)
	for i := range answers {
		a := &answers[i]
		firsts += strings.Count(a.body, notReplayed)
		a.body = strings.ReplaceAll(a.body, notReplayed, replayed)
		require.Equal(t, answers[0].status, a.status, "%s: %s", all[0].provider, a.body)
		require.Equal(t, answers[0].body, a.body, "%s", all[0].provider)
	}
	if answers[0].status == 200 {
		require.NotEmpty(t, answers[0].at(d.transaction...), "%s: no id in %s", all[0].provider, answers[0].body)
	} else {
		require.True(t, d.unknown.is(answers[0]), "%s: %d %s", all[0].provider, answers[0].status, answers[0].body)
	}
	if strings.Contains(answers[0].body, replayed) {
		require.Equal(t, fresh, firsts, "calls that were told to be the first")
	}
	return answers[0]
}
