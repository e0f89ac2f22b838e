package endtoend_test

import (
	"context"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/internal/process"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/broker"
	"github.com/walletctl/walletctl/walletcore/rpc"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// caller calls gaming as casino does, without a casino.
func (p *platform) caller() *rpc.Client {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), patience)
	defer cancel()
	conn, err := broker.Dial(ctx, p.broker.URL(p.t, wallettest.CasinoBroker), broker.Options{Name: "test"})
	require.NoError(p.t, err)
	p.t.Cleanup(func() { _ = conn.Close(context.Background()) })
	client, err := rpc.NewClient(conn, rpc.ClientOptions{Timeout: patience})
	require.NoError(p.t, err)
	return client
}

func credit(change func(*walletcore.DepositCredit)) walletcore.DepositCredit {
	c := walletcore.DepositCredit{
		DepositID:  "d-1",
		Wallet:     walletcore.WalletKey{Brand: acme, User: "u-1", Currency: "EUR"},
		Amount:     walletcore.MustParseMoney("50"),
		OccurredAt: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC),
	}
	if change != nil {
		change(&c)
	}
	return c
}

func TestCredit_FiftyCallsToThreeProcessesAreOneEntryAndEqualReceipts(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, nil)
	gamings := []*process.Process{p.startGaming(nil), p.startGaming(nil), p.startGaming(nil)}
	p.broker.WaitForConsumers(t, rpc.CallsQueue, 3)
	const calls = 50
	client := p.caller()
	posted := make([]walletcore.Posted, calls)
	errs := make([]error, calls)
	var wait sync.WaitGroup
	for i := range calls {
		wait.Go(func() { posted[i], errs[i] = client.CreditDeposit(t.Context(), credit(nil)) })
	}
	wait.Wait()

	first := 0
	for i := range calls {
		require.NoError(t, errs[i])
		require.Equal(t, posted[0].Receipt, posted[i].Receipt)
		if !posted[i].Replayed {
			first++
		}
	}
	require.Equal(t, 1, first, "calls that were told to be the first")
	require.Equal(t, 1, p.count(`select count(*) from gaming.entries where kind = 'deposit'`))
	require.Equal(t, 50, p.count(`select real::int from gaming.wallets`))
	for _, gaming := range gamings {
		answered := metric(t, gaming, `rpc_requests_total{outcome="posted"}`) + metric(t, gaming, `rpc_requests_total{outcome="replayed"}`)
		require.Positive(t, answered, "a process that took no part")
	}
	wallettest.RequireClosed(t, p.admin, p.keys)
	p.requireChainCheck()
}

func TestCredit_TheSameIdWithOtherContentIsRefusedAndNamesTheField(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, nil)
	p.startGaming(nil)
	client := p.caller()
	_, err := client.CreditDeposit(t.Context(), credit(nil))
	require.NoError(t, err)
	for field, change := range map[string]func(*walletcore.DepositCredit){
		"user":     func(c *walletcore.DepositCredit) { c.Wallet.User = "U-1" },
		"brand":    func(c *walletcore.DepositCredit) { c.Wallet.Brand = bravo },
		"currency": func(c *walletcore.DepositCredit) { c.Wallet.Currency = "USD" },
		"amount":   func(c *walletcore.DepositCredit) { c.Amount = walletcore.MustParseMoney("50.01") },
	} {
		_, err := client.CreditDeposit(t.Context(), credit(change))
		var conflict *walletcore.ConflictError
		require.ErrorAs(t, err, &conflict, field)
		require.Equal(t, field, conflict.Field)
		require.Equal(t, "d-1", conflict.ExternalID)
	}
	require.Equal(t, 1, p.count(`select count(*) from gaming.entries where kind <> 'opening'`))
	require.Equal(t, 50, p.count(`select sum(real)::int from gaming.wallets`), "nothing else moved")
	wallettest.RequireClosed(t, p.admin, p.keys)
}

// metric reads a counter of a service; 0 where it does not count yet.
func metric(t *testing.T, service *process.Process, name string) int {
	t.Helper()
	response, err := http.Get(service.URL() + "/metrics")
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	found := regexp.MustCompile(`(?m)^walletctl_` + regexp.QuoteMeta(name) + ` (\d+)$`).FindSubmatch(text)
	require.NotNil(t, found, "no metric %s", name)
	n, err := strconv.Atoi(string(found[1]))
	require.NoError(t, err)
	return n
}
