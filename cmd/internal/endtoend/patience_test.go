package endtoend_test

import (
	"bytes"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/wallettest"
)

func TestPlay_AWalletThatIsBusyForLongerThanTheProviderWaits(t *testing.T) {
	t.Parallel()
	g := newGames(t, 2, nil)
	var bets, rollbacks []call
	for _, d := range dialects() {
		provider := d.name + "-" + current
		user := "player-of-" + provider
		g.fund(user, "deposit-"+provider, 100_00)
		bets = append(bets, calls(provider)(d.bet(user, "b-1", 10_00)))
		rollbacks = append(rollbacks, calls(provider)(d.refund(user, "b-1")))
	}
	letGo := g.hold(`select from gaming.wallets for update`)
	for i, a := range g.atOnce(bets...) {
		d := dialects()[i]
		require.True(t, d.unavailable.is(a), "%s is not told to try again: %d %s", d.name, a.status, a.body)
		require.Greater(t, a.took, 2*time.Second, "%s gave up early", d.name)
	}

	var answers []answer
	var wait sync.WaitGroup
	wait.Go(func() { answers = g.atOnce(rollbacks...) })
	g.awaitBlocked(len(rollbacks))
	letGo()
	wait.Wait()
	g.awaitIdle()
	for i, a := range answers {
		d := dialects()[i]
		if d.unavailable.is(a) { // it was late itself, and comes again
			a = g.one(rollbacks[i])
		}
		g.requireUndone(d, bets[i].provider, a)
		late := g.one(bets[i])
		require.True(t, late.status == 200 || d.rolledBack.is(late), "%s: %d %s", d.name, late.status, late.body)
		g.requireUndone(d, bets[i].provider, g.one(rollbacks[i]))
	}
	g.requireSound()
}

// requireUndone asserts that a bet and its rollback came to nothing, and that
// the rollback was told so.
func (g *games) requireUndone(d dialect, provider string, a answer) {
	g.t.Helper()
	story := g.story(provider, "b-1")
	require.Contains(g.t, []string{"bet, refund", "bet void, refund tombstone", "refund tombstone"}, story, d.name)
	require.True(g.t, a.status == 200 || d.unknown.is(a), "%s: %d %s", d.name, a.status, a.body)
	require.Equal(g.t, 100_00, g.balance("player-of-"+provider), "%s: %s", d.name, story)
}

// The bet's COMMIT is on its way to the server when the provider's patience is
// over, and nobody can call it back: it commits after it was answered.
func TestPlay_ABetThatCommitsAfterItsAnswerIsFoundByItsRollback(t *testing.T) {
	t.Parallel()
	g := newGames(t, 0, nil)
	for _, limit := range []string{"lock_timeout", "statement_timeout"} {
		g.exec(fmt.Sprintf(`alter role gaming in database %q set %s = '1min'`, g.db.Name, limit))
	}
	g.exec(slowWrites)
	network, url := wallettest.NewProxyFor(t, g.db.URL(t, wallettest.Gaming))
	network.OnRequest(loseCancelRequests)
	behind := settings{"GAMING_DATABASE_URL": url}
	for name, value := range g.own {
		behind[name] = value
	}
	g.gamings = append(g.gamings, g.startGaming(behind), g.startGaming(g.own))
	for _, d := range dialects() {
		g.commitLate(d, d.name+"-"+current)
	}
	g.requireSound()
}

// slowWrites has whoever writes entries wait for one who holds the lock 7.
const slowWrites = `
create function gaming.wait_for_seven() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(7);
  return null;
end $$;
create trigger slow_writes before insert on gaming.entries execute function gaming.wait_for_seven();
grant execute on function gaming.wait_for_seven() to public`

// loseCancelRequests keeps a client from calling back what a server works on.
func loseCancelRequests(chunk []byte) wallettest.Action {
	if bytes.HasPrefix(chunk, []byte{0, 0, 0, 16, 4, 210, 22, 46}) {
		return wallettest.CutBefore
	}
	return wallettest.Pass
}

func (g *games) commitLate(d dialect, provider string) {
	t, user, say := g.t, "player-of-"+provider, calls(provider)
	t.Helper()
	g.fund(user, "deposit-"+provider, 100_00)
	letGo := g.hold(`select pg_advisory_xact_lock(7)`)
	a := g.one(say(d.bet(user, "b-1", 10_00)))
	require.True(t, d.unavailable.is(a), "%s is not told to try again: %d %s", d.name, a.status, a.body)
	require.Equal(t, "nothing", g.story(provider, "b-1"))

	var wait sync.WaitGroup
	var err error
	wait.Go(func() { a, err = g.send(g.gamings[1], say(d.refund(user, "b-1")), nil) })
	g.awaitBlocked(2)
	letGo()
	wait.Wait()
	require.NoError(t, err)
	require.Equal(t, 200, a.status, "%s: %s", d.name, a.body)
	require.Equal(t, "bet, refund", g.story(provider, "b-1"))
	g.requireUndone(d, provider, a)
}
