package simulator_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/provider"
	"github.com/walletctl/walletctl/walletcore/provider/simulator"
)

// contract is a call, as the plan has it, and its words in one dialect.
type contract struct {
	call            simulator.Call
	operation, body string
}

var contracts = map[string][]contract{
	"process": {
		{simulator.Call{}, "process", `{"user_id":"u|1","currency":"EUR"}`},
		{inRound("r"), "process", `{"user_id":"u|1","currency":"EUR","round_id":"r","finished":true}`},
		{
			inRound("7328334202200869666", bet("a", "1.25"), win("1000000000000000001", "0")), "process",
			`{"user_id":"u|1","currency":"EUR","round_id":7328334202200869666,"actions":[` +
				`{"action":"bet","action_id":"a","amount":125},{"action":"win","action_id":1000000000000000001,"amount":0}]}`,
		},
		{
			inRound("r", rollback("x", "a"), amounted(rollback("y", "b"), "2")), "process",
			`{"user_id":"u|1","currency":"EUR","round_id":"r","actions":[` +
				`{"action":"rollback","action_id":"x","original_action_id":"a"},` +
				`{"action":"rollback","action_id":"y","original_action_id":"b","amount":200}]}`,
		},
	},
	"softswiss": {
		{simulator.Call{}, "balance", `{"account_id":"u|1","currency":"EUR"}`},
		{inRound("r"), "finish", `{"account_id":"u|1","currency":"EUR","round_id":"r"}`},
		{
			inRound("r", bet("a", "1.25"), win("w", "0")), "betwin",
			`{"account_id":"u|1","currency":"EUR","round_id":"r","transactions":[` +
				`{"id_provider":"a","type":"bet","amount":"1.25000000"},{"id_provider":"w","type":"win","amount":"0.00000000"}]}`,
		},
		{
			inRound("r", amounted(rollback("x", "a"), "2")), "rollback",
			`{"account_id":"u|1","currency":"EUR","round_id_provider":"r","transactions":[` +
				`{"id_provider":"x","original_id_provider":"a","type":"rollback"}]}`,
		},
	},
	"standard": {
		{simulator.Call{}, "balance", `{"user":"u|1","currency":"EUR"}`},
		{inRound("r", bet("a", "1.25")), "bet", `{"user":"u|1","currency":"EUR","round_id":"r","transaction_id":"a","amount":"1.25000000"}`},
		{
			inRound("r", simulator.Action{Kind: provider.Win, ID: "w", Bet: "a"}), "win",
			`{"user":"u|1","currency":"EUR","round_id":"r","transaction_id":"w","bet_id":"a","amount":"0.00000000"}`,
		},
		{inRound("r", rollback("x", "a")), "refund", `{"user":"u|1","currency":"EUR","round_id":"r","transaction_id":"x","bet_id":"a"}`},
		{
			inRound("r", bet("a", "1"), win("w", "2")), "betwin", `{"user":"u|1","currency":"EUR","round_id":"r",` +
				`"bet":{"transaction_id":"a","amount":"1.00000000"},"win":{"transaction_id":"w","amount":"2.00000000"}}`,
		},
	},
	"subunits": {
		{simulator.Call{}, "balance", `{"player_id":"u|1","currency_code":"EUR","token":"token of u|1"}`},
		{
			inRound("r", bet("a", "1.25")), "bet",
			`{"player_id":"u|1","currency_code":"EUR","token":"token of u|1","round_id":"r","transaction_id":"a","amount":125}`,
		},
		{
			inRound("r", win("w", "0")), "win",
			`{"player_id":"u|1","currency_code":"EUR","token":"token of u|1","round_id":"r","transaction_id":"w","amount":0}`,
		},
		{
			inRound("r", amounted(rollback("x", "a"), "2")), "refund", `{"player_id":"u|1","currency_code":"EUR",` +
				`"token":"token of u|1","round_id":"r","transaction_id":"x","refunded_transaction_id":"a","amount":-200}`,
		},
	},
}

func amounted(a simulator.Action, amount string) simulator.Action {
	a.Amount = walletcore.MustParseMoney(amount)
	return a
}

func TestDialects_WriteTheContractsBytes(t *testing.T) {
	t.Parallel()
	require.ElementsMatch(t, simulator.DialectNames(), keys(contracts))
	for dialect, calls := range contracts {
		for _, c := range calls {
			operation, body := simulator.Encode(dialect, "u|1", "EUR", 1_000_000, &c.call)
			require.Equal(t, c.operation, operation)
			require.Equal(t, c.body, body)
		}
	}
}

func keys[V any](m map[string]V) (names []string) {
	for name := range m {
		names = append(names, name)
	}
	return names
}

// heard is a wallet that keeps what it was asked, takes it all, and is always as
// full.
type heard struct{ requests []provider.Request }

var full = walletcore.Parts{Real: walletcore.MustParseMoney("1000")}

func (h *heard) Posted(context.Context, walletcore.WalletKey, provider.Kind, string) (bool, error) {
	return false, nil
}

func (h *heard) Balance(context.Context, walletcore.WalletKey) (walletcore.Parts, error) {
	return full, nil
}

func (h *heard) Play(_ context.Context, r provider.Request) (provider.Result, error) {
	h.requests = append(h.requests, r)
	result := provider.Result{Balance: full}
	for range r.Actions {
		receipt := walletcore.Receipt{WalletID: uuid.Max, Seq: int64(len(h.requests)), RealAfter: full.Real}
		result.Outcomes = append(result.Outcomes, provider.Outcome{Posted: walletcore.Posted{Receipt: receipt}})
	}
	return result, nil
}

// The service's own side verifies every signature and reads what was meant.
func TestDialects_AreReadAsTheyWereMeant(t *testing.T) {
	t.Parallel()
	for _, dialect := range simulator.DialectNames() {
		wallet := &heard{}
		o := options(dialect)
		o.Players, o.Rounds, o.Concurrency, o.Cut = 1, 200, 1, -1
		o.Mix = map[simulator.Scenario]int{
			simulator.Burst: 0, simulator.RefundBurst: 0, simulator.CutOff: 0, simulator.Race: 0, simulator.TwoBets: 0,
			simulator.LastMoney: 0, simulator.NoFunds: 0, simulator.Forged: 0,
		}
		var refused []provider.Reason
		o.URL = serve(t, dialect, wallet, func(_, _ string, reason provider.Reason) {
			if reason != "" {
				refused = append(refused, reason)
			}
		})
		_, err := simulator.Run(t.Context(), o)
		require.NoError(t, err)
		require.Empty(t, refused, dialect)
		requireHeard(t, dialect, &planOf(t, o).Players[0], wallet.requests)
	}
}

// requireHeard: what was planned came, in its order.
func requireHeard(t *testing.T, dialect string, player *simulator.Player, requests []provider.Request) {
	t.Helper()
	var want, got []string
	for _, round := range player.Rounds {
		for _, step := range round.Steps {
			for _, call := range step.Calls {
				for _, a := range call.Actions {
					want = append(want, meant(dialect, &a))
				}
			}
		}
	}
	for _, request := range requests {
		require.Equal(t, walletcore.WalletKey{Brand: "acme", User: player.ID, Currency: "EUR"}, request.Wallet)
		for _, a := range request.Actions {
			got = append(got, string(a.Kind)+" "+a.ID+" "+a.Amount.String())
		}
	}
	require.Empty(t, cmp.Diff(want, got), dialect)
}

// meant is an action in the words of provider: under the id of what it undoes.
func meant(dialect string, a *simulator.Action) string {
	kind, id, amount := a.Kind, a.ID, a.Amount
	if kind == provider.Rollback {
		id = a.Undoes
		switch dialect {
		case "subunits": // negative, and not used
			kind, amount = provider.Refund, walletcore.Money{}
		case "standard":
			kind = provider.Refund
		case "softswiss":
			amount = walletcore.Money{}
		}
	}
	return string(kind) + " games:" + id + " " + amount.String()
}

func serve(t *testing.T, dialect string, wallet provider.Wallet, observe func(brand, name string, reason provider.Reason)) (url string) {
	t.Helper()
	p, err := provider.NewProfile(provider.ProfileOptions{Brand: "acme", Provider: "games", Dialect: dialect, Secrets: [][]byte{secret}})
	require.NoError(t, err)
	profiles, err := provider.NewProfiles(p)
	require.NoError(t, err)
	handler, err := provider.NewHandler(provider.HandlerOptions{Profiles: profiles, Wallet: wallet, Observe: observe})
	require.NoError(t, err)
	mux := http.NewServeMux()
	mux.Handle(provider.Pattern, handler)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}
