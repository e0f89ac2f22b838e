package endtoend_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPlay_ABetAgainstItsOwnRollbackEndsWholeEitherWay(t *testing.T) {
	t.Parallel()
	g := newGames(t, 3, nil)
	ends := map[string]int{}
	for _, d := range dialects() {
		provider := d.name + "-" + current
		g.fund("player-of-"+provider, "deposit-"+provider, 100_00)
		for round := range 50 {
			ends[g.race(d, provider, round)]++
		}
		require.Equal(t, 100_00, g.balance("player-of-"+provider))
	}
	t.Logf("how the rounds ended: %v", ends)
	require.Positive(t, ends["bet, refund"], "no bet came first")
	require.Less(t, ends["bet, refund"], 200, "no rollback came first")
	g.requireSound()
}

// race has a bet and its rollback arrive at two processes at the same time, and
// returns how it ended. In each second round the rollback goes first.
func (g *games) race(d dialect, provider string, round int) string {
	t, user, bet, say := g.t, "player-of-"+provider, fmt.Sprint("b-", round), calls(provider)
	t.Helper()
	all := []call{say(d.bet(user, bet, 10_00)), say(d.refund(user, bet))}
	leader := round % 2
	answers := make([]answer, 2)
	errs := make([]error, 2)
	gone := make(chan struct{})
	var wait sync.WaitGroup
	wait.Go(func() {
		answers[leader], errs[leader] = g.send(g.gamings[round%3], all[leader], sync.OnceFunc(func() { close(gone) }))
	})
	<-gone
	answers[1-leader], errs[1-leader] = g.send(g.gamings[(round+1)%3], all[1-leader], nil)
	wait.Wait()
	require.NoError(t, errs[0])
	require.NoError(t, errs[1])

	story := g.story(provider, bet)
	switch story {
	case "bet, refund":
		require.Equal(t, 200, answers[0].status, "%s: %s", provider, answers[0].body)
		require.Equal(t, 200, answers[1].status, "%s: %s", provider, answers[1].body)
	case "bet void, refund tombstone", "refund tombstone":
		require.Equal(t, d.rolledBack.status == 200, story == "bet void, refund tombstone", "%s: %s", provider, story)
		require.True(t, d.rolledBack.is(answers[0]), "%s: %d %s", provider, answers[0].status, answers[0].body)
		require.True(t, d.unknown.is(answers[1]), "%s: %d %s", provider, answers[1].status, answers[1].body)
	default:
		require.Fail(t, "both or neither", "%s %s: %s", provider, bet, story)
	}
	require.Equal(t, 100_00, g.balance(user), "%s %s: %s", provider, bet, story)
	return story
}
