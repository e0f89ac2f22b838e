package endtoend_test

import (
	"bytes"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/rpc"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// startGamingBehind starts a gaming whose way to the broker leads through a
// faulty network, and waits until it takes requests.
func (p *platform) startGamingBehind() *wallettest.Proxy {
	p.t.Helper()
	network, url := wallettest.NewProxyFor(p.t, p.broker.URL(p.t, wallettest.GamingBroker))
	p.startGaming(settings{"AMQP_URL": url})
	p.broker.WaitForConsumers(p.t, rpc.CallsQueue, 1)
	return network
}

func (p *platform) waitEntry(d deposit) {
	p.t.Helper()
	await(p.t, "the entry of deposit "+d.ID, func() bool { return p.entries(d) == 1 })
}

func TestDeposit_GamingKilledAfterItsCommitAndBeforeItsReply(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, nil)
	network := p.startGamingBehind()
	p.startCasino(nil)
	d := p.create(order{})

	network.DropRequests(true)
	p.pay(d)
	p.waitEntry(d)
	require.Equal(t, "confirmed", p.status(d), "the reply was heard")
	p.gaming.Load().Kill()

	p.startGaming(nil)
	p.requireWhole([]deposit{d}, expected{})
	require.Positive(t, metric(t, p.gaming.Load(), `rpc_requests_total{outcome="replayed"}`), "nobody asked again")
}

func TestDeposit_ADroppedReplyIsAskedForAgain(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, settings{"RPC_TIMEOUT": "1s", "CREDIT_TIMEOUT": "5s"})
	network := p.startGamingBehind()
	p.startCasino(nil)
	d := p.create(order{})

	network.DropRequests(true)
	p.pay(d)
	p.waitEntry(d)
	await(t, "an attempt to end without a reply", func() bool { return p.attempts(d) > 0 })
	require.Equal(t, "confirmed", p.status(d))
	require.Equal(t, []string{"timeout"}, p.texts(`select last_error_class from casino.deposits where id = $1`, d.ID))
	network.DropRequests(false)

	p.requireWhole([]deposit{d}, expected{})
}

func TestDeposit_TheConnectionToPostgreSQLDiesDuringCommit(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, nil)
	network, url := wallettest.NewProxyFor(t, p.db.URL(t, wallettest.Gaming))
	p.startGaming(settings{"GAMING_DATABASE_URL": url})
	p.startCasino(nil)
	// The wallet is born and statements are prepared by another deposit.
	before := p.create(order{amount: "1"})
	p.pay(before)
	p.waitStatus(before, "credited")
	d := p.create(order{})

	// The id travels twice: for the look-up, then to be written, with COMMIT
	// in the same round trip.
	var seen atomic.Int32
	network.OnRequest(func(chunk []byte) wallettest.Action {
		if bytes.Contains(chunk, []byte(d.ID)) && seen.Add(1) == 2 {
			return wallettest.CutAfterReply
		}
		return wallettest.Pass
	})
	p.pay(d)
	p.requireWhole([]deposit{before, d}, expected{})
	require.Equal(t, 1, metric(t, p.gaming.Load(), "ledger_unknown_commits_total"))
}

func TestDeposit_CasinoKilledBetweenConfirmAndCredit(t *testing.T) {
	t.Parallel()
	// The job of a killed casino is taken over after four times CREDIT_TIMEOUT.
	p := newPlatform(t, settings{"RPC_TIMEOUT": "2s", "CREDIT_TIMEOUT": "2500ms", "CREDIT_RETRY_BASE": "1s"})
	p.stop(p.startGaming(nil)) // its queue stays
	casino := p.startCasino(nil)
	d := p.create(order{})
	p.pay(d)
	const running = `
select (select count(*) from casino.river_job where kind = 'deposit_credit' and state = 'running')
  * (select count(*) from casino.effects where published_at is not null)`
	await(t, "both effects to be published and the credit to be asked for", func() bool { return p.count(running) == 2 })
	casino.Kill()
	require.Equal(t, []string{"confirmed"}, p.texts(`select status::text from casino.deposits`))

	p.startGaming(nil)
	p.startCasino(nil)
	p.requireWhole([]deposit{d}, expected{})
}
