package endtoend_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptrace"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/internal/process"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// games is a platform whose gamings answer game providers. Each dialect is
// spoken by two: one is told the first balance in the answer to a duplicate, the
// other the current one.
type games struct {
	*platform
	gamings []*process.Process
	wallet  *ledger.Ledger
	signing map[string]string // the secret by provider
	own     settings
}

// The policies, which are part of a provider's name.
const (
	first   = "first"
	current = "current"
)

// newGames starts so many gamings.
func newGames(t *testing.T, processes int, own settings) *games {
	t.Helper()
	g := &games{platform: newPlatform(t, nil), signing: map[string]string{}}
	g.own = g.providers()
	maps.Copy(g.own, own)
	for range processes {
		g.gamings = append(g.gamings, g.startGaming(g.own))
	}
	var err error
	g.wallet, err = ledger.New(ledger.Options{Pool: g.db.Pool(t, wallettest.Gaming), Keys: g.keys})
	require.NoError(t, err)
	return g
}

// providers writes providers.yaml and returns the settings that go with it.
func (g *games) providers() settings {
	g.t.Helper()
	file := filepath.Join(g.t.TempDir(), "providers.yaml")
	own := settings{"GAMING_PROVIDERS": file}
	var text strings.Builder
	text.WriteString("providers:\n")
	for _, d := range dialects() {
		for _, balance := range []string{first, current} {
			name := d.name + "-" + balance
			variable := strings.ToUpper(d.name + "_" + balance)
			g.signing[name] = randomSecret()
			own[variable] = g.signing[name]
			fmt.Fprintf(&text, "  - {provider: %s, brand: acme, dialect: %s, secrets: [\"env:%s\"], policy: {duplicate_balance: %s}}\n",
				name, d.name, variable, balance)
		}
	}
	require.NoError(g.t, os.WriteFile(file, []byte(text.String()), 0o600))
	return own
}

// fund credits a deposit to a player.
func (g *games) fund(user, id string, cents int64) {
	g.t.Helper()
	_, err := g.wallet.CreditDeposit(g.t.Context(), walletcore.DepositCredit{
		DepositID: id, Wallet: player(user), Amount: walletcore.MoneyFromUnits(cents * 1_000_000), OccurredAt: time.Now(),
	})
	require.NoError(g.t, err)
}

func player(user string) walletcore.WalletKey {
	return walletcore.WalletKey{Brand: acme, User: user, Currency: "EUR"}
}

// call is one call of a provider.
type call struct {
	provider, operation, body string
}

// calls makes a call of what a dialect's functions return.
func calls(provider string) func(operation, body string) call {
	return func(operation, body string) call { return call{provider, operation, body} }
}

// send has a process answer. written, where it is not nil, is called when the
// call is on its way.
func (g *games) send(to *process.Process, c call, written func()) (answer, error) {
	ctx := g.t.Context()
	if written != nil {
		ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteRequest: func(httptrace.WroteRequestInfo) { written() }})
	}
	url := to.URL() + "/providers/acme/" + c.provider + "/" + c.operation
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(c.body))
	if err != nil {
		return answer{}, err
	}
	digest := sign(g.signing[c.provider], c.body)
	request.Header.Set("Authorization", "HMAC-SHA256 "+digest)
	request.Header.Set("X-Signature", digest)
	request.Header.Set("X-REQUEST-SIGN", digest)
	return send(request)
}

// one is answered by the first process.
func (g *games) one(c call) answer {
	g.t.Helper()
	a, err := g.send(g.gamings[0], c, nil)
	require.NoError(g.t, err)
	return a
}

// atOnce sends all calls concurrently, each to the next process in turn.
func (g *games) atOnce(all ...call) []answer {
	g.t.Helper()
	answers := make([]answer, len(all))
	errs := make([]error, len(all))
	start := make(chan struct{})
	var wait sync.WaitGroup
	for i, c := range all {
		wait.Go(func() {
			<-start
			answers[i], errs[i] = g.send(g.gamings[i%len(g.gamings)], c, nil)
		})
	}
	close(start)
	wait.Wait()
	for _, err := range errs {
		require.NoError(g.t, err)
	}
	return answers
}

func times(n int, c call) []call {
	all := make([]call, n)
	for i := range all {
		all[i] = c
	}
	return all
}

// story returns what the ledger holds of a bet, such as "bet, refund", or "bet
// void, refund tombstone".
func (g *games) story(provider, bet string) string {
	g.t.Helper()
	const story = `
select coalesce(string_agg(kind || coalesce(' ' || mark::text, ''), ', ' order by kind::text), 'nothing')
from gaming.entries
where external_id = $1 and kind in ('bet', 'refund')`
	return g.texts(story, provider+":"+bet)[0]
}

// balance returns a player's real money in cents.
func (g *games) balance(user string) int {
	g.t.Helper()
	return g.count(`select (real * 100)::int from gaming.wallets where id = $1`, player(user).ID())
}

// requireSound asserts what holds at the end of every test.
func (g *games) requireSound() {
	g.t.Helper()
	require.Zero(g.t, g.count(`select count(*) from gaming.entries where real_after < 0 or bonus_after < 0`), "a balance below zero")
	wallettest.RequireClosed(g.t, g.admin, g.keys)
	g.requireChainCheck()
	for _, log := range g.logs {
		log.requireSecretsKept(g.t, g.secrets())
		for _, secret := range g.signing {
			require.NotContains(g.t, log.String(), secret)
		}
	}
}

// awaitIdle returns when no session of gaming works on anything.
func (g *games) awaitIdle() {
	g.t.Helper()
	await(g.t, "gaming's sessions to be idle", func() bool {
		return g.count(`
select count(*) from pg_stat_activity
where datname = current_database() and usename = 'gaming' and state <> 'idle'`) == 0
	})
}

// awaitBlocked returns when so many sessions wait for a lock.
func (g *games) awaitBlocked(sessions int) {
	g.t.Helper()
	await(g.t, "sessions to wait for a lock", func() bool {
		return g.count(`
select count(distinct pid) from pg_locks join pg_stat_activity using (pid)
where not granted and datname = current_database()`) >= sessions
	})
}

// hold runs a statement in a transaction that stays open until it is let go.
func (g *games) hold(statement string, args ...any) (letGo func()) {
	g.t.Helper()
	tx, err := g.admin.Begin(context.Background())
	require.NoError(g.t, err)
	letGo = sync.OnceFunc(func() { _ = tx.Rollback(context.Background()) })
	g.t.Cleanup(letGo)
	_, err = tx.Exec(context.Background(), statement, args...)
	require.NoError(g.t, err)
	return letGo
}
