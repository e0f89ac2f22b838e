package endtoend_test

import (
	"fmt"
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// poolerConns is the most that the pooler opens to one database for one login.
const poolerConns = 8

func TestPooler_ADepositIsCreditedAndBetsWorkBehindIt(t *testing.T) {
	t.Parallel()
	gaming := settings{"DATABASE_POOLER": "transaction", "DATABASE_MAX_CONNS": fmt.Sprint(2 * poolerConns)}
	casino := maps.Clone(gaming)
	g := newGames(t, 0, nil)
	gaming["GAMING_DATABASE_URL"] = g.db.URL(t, wallettest.GamingPooler)
	casino["CASINO_DATABASE_URL"] = g.db.URL(t, wallettest.CasinoPooler)
	maps.Copy(gaming, g.own)
	for range 3 {
		g.gamings = append(g.gamings, g.startGaming(gaming))
	}
	g.startCasino(casino)

	d := g.create(order{amount: "100"})
	g.pay(d)
	g.requireWhole([]deposit{d}, expected{})

	user := d.User
	for i, dialect := range dialects() {
		provider := dialect.name + "-" + current
		say := calls(provider)
		g.requireOneAnswer(dialect, 1, times(30, say(dialect.bet(user, "b-1", 10_00))))
		require.Equal(t, 200, g.one(say(dialect.win(user, "w-1", 5_00))).status)
		require.Equal(t, 100_00-(i+1)*5_00, g.balance(user))
	}
	g.requireSharedConnections()
	require.Zero(t, g.count(`
select count(*)
from pg_locks
where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`))
	g.requireSound()
}

// requireSharedConnections asserts that the services went through the pooler:
// three gamings alone would have more connections than that.
func (g *games) requireSharedConnections() {
	g.t.Helper()
	for _, login := range []string{"gaming", "casino"} {
		n := g.count(`select count(*) from pg_stat_activity where datname = current_database() and usename = $1`, login)
		require.Positive(g.t, n, login)
		require.LessOrEqual(g.t, n, poolerConns, login)
	}
}
