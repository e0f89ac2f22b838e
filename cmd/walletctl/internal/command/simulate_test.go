package command_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/walletctl/internal/command"
	"github.com/walletctl/walletctl/cmd/walletctl/internal/output"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/provider"
	"github.com/walletctl/walletctl/walletcore/provider/simulator"
)

const gamesSecret = "the-secret-of-acme-games"

// A Ctrl-C in the middle of a run: what was seen until then is told, and
// nothing is a finding because it was stopped.
func TestSimulate_InterruptedTellsWhatItSaw(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	handler, err := newGames("standard", &memory{accounts: map[walletcore.WalletKey]*account{}})
	require.NoError(t, err)
	var calls atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if calls.Add(1) == 100 {
			cancel()
		}
		handler.ServeHTTP(w, r)
	}))
	defer server.Close()
	var out, errs strings.Builder
	code := command.RunWithCheck(ctx, output.Streams{Out: &out, Err: &errs}, []string{"SECRET=" + gamesSecret}, []string{
		"simulate", "provider", "--url", server.URL, "--brand", "acme", "--provider", "games", "--dialect", "standard",
		"--secret-env", "SECRET", "--rounds", "500", "-o", "json", "--mix", strings.Join(mixOf("won", "lost"), ","),
	}, nil)
	require.Equal(t, 130, code)
	var report simulator.Report
	require.NoError(t, json.Unmarshal([]byte(out.String()), &report))
	require.True(t, report.Interrupted)
	require.Empty(t, report.Findings)
	require.NotZero(t, report.Rounds)
	require.Less(t, report.Rounds, 2500)
}

// mixOf plays no other scenarios.
func mixOf(names ...string) []string {
	var mix []string
	for _, scenario := range simulator.Scenarios() {
		weight := "=0"
		if slices.Contains(names, scenario) {
			weight = "=1"
		}
		mix = append(mix, scenario+weight)
	}
	return mix
}

// cmdProvider serves a game provider acme/games over a wallet in memory, at
// $PROVIDER_URL, with the secret in $PROVIDER_SECRET: provider DIALECT
// [careless]. A careless wallet takes a duplicate for another movement. What
// the simulator asks of the real wallet is tested where that is.
func cmdProvider(ts *testscript.TestScript, _ bool, args []string) {
	careless := slices.Contains(args, "careless")
	handler, err := newGames(args[0], &memory{careless: careless, accounts: map[walletcore.WalletKey]*account{}})
	ts.Check(err)
	server := httptest.NewServer(handler)
	ts.Defer(server.Close)
	ts.Setenv("PROVIDER_URL", server.URL)
	ts.Setenv("PROVIDER_SECRET", gamesSecret)
}

// newGames is gaming's door for acme/games.
func newGames(dialect string, wallet provider.Wallet) (http.Handler, error) {
	p, err := provider.NewProfile(provider.ProfileOptions{
		Brand: "acme", Provider: "games", Dialect: dialect, Secrets: [][]byte{[]byte(gamesSecret)},
	})
	if err != nil {
		return nil, err
	}
	profiles, err := provider.NewProfiles(p)
	if err != nil {
		return nil, err
	}
	handler, err := provider.NewHandler(provider.HandlerOptions{Profiles: profiles, Wallet: wallet})
	mux := http.NewServeMux()
	mux.Handle(provider.Pattern, handler)
	return mux, err
}

// memory is a wallet that takes bets and wins, each once unless it is careless.
type memory struct {
	careless bool
	mu       sync.Mutex
	accounts map[walletcore.WalletKey]*account
}

type account struct {
	balance walletcore.Money
	seq     int64
	entries map[string]walletcore.Receipt
}

func (m *memory) account(key walletcore.WalletKey) *account {
	if m.accounts[key] == nil {
		m.accounts[key] = &account{entries: map[string]walletcore.Receipt{}}
	}
	return m.accounts[key]
}

// Balance implements [provider.Wallet].
func (m *memory) Posted(context.Context, walletcore.WalletKey, provider.Kind, string) (bool, error) {
	return false, nil
}

func (m *memory) Balance(_ context.Context, key walletcore.WalletKey) (walletcore.Parts, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return walletcore.Parts{Real: m.account(key).balance}, nil
}

// Play implements [provider.Wallet].
func (m *memory) Play(_ context.Context, request provider.Request) (provider.Result, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var result provider.Result
	a := m.account(request.Wallet)
	for _, action := range request.Actions {
		key := string(action.Kind) + action.ID
		old, known := a.entries[key]
		if !known || m.careless {
			old = a.post(request.Wallet, &action)
			a.entries[key] = old
		}
		result.Outcomes = append(result.Outcomes, provider.Outcome{Posted: walletcore.Posted{Receipt: old, Replayed: known}})
	}
	result.Balance = walletcore.Parts{Real: a.balance}
	return result, nil
}

func (a *account) post(key walletcore.WalletKey, action *provider.Action) walletcore.Receipt {
	before := a.balance
	a.balance = before.Add(action.Amount)
	if action.Kind == provider.Bet {
		a.balance = before.Sub(action.Amount)
	}
	a.seq++
	return walletcore.Receipt{
		WalletID: key.ID(), Seq: a.seq, ExternalID: action.ID, RealBefore: before, RealAfter: a.balance,
	}
}
