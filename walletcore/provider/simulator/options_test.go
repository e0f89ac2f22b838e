package simulator_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/provider"
	"github.com/walletctl/walletctl/walletcore/provider/simulator"
	"github.com/walletctl/walletctl/walletcore/signature"
)

func TestValidate_NamesTheOptionThatIsWrong(t *testing.T) {
	t.Parallel()
	nine := 9
	for field, change := range map[string]func(*simulator.Options){
		"url":       func(o *simulator.Options) { o.URL = "gaming:8080" },
		"brand":     func(o *simulator.Options) { o.Brand = "" },
		"provider":  func(o *simulator.Options) { o.Provider = "Games!" },
		"dialect":   func(o *simulator.Options) { o.Dialect = "fax" },
		"secret":    func(o *simulator.Options) { o.Secret = []byte("short") },
		"signature": func(o *simulator.Options) { o.Signature = &signature.Form{Header: "X-Sign", Encoding: signature.Hex} },
		"currency":  func(o *simulator.Options) { o.Currency = "eur" },
		"unit":      func(o *simulator.Options) { o.Unit = &nine },
		"late-bet":  func(o *simulator.Options) { o.Policy.LateBet = "maybe" },
		"code": func(o *simulator.Options) {
			o.Codes = map[provider.Reason]provider.Code{"odd": {Status: 400, Code: "1"}}
		},
		"players":           func(o *simulator.Options) { o.Players = simulator.MaxPlayers + 1 },
		"user":              func(o *simulator.Options) { o.Players, o.Users = 0, []string{"a", "a"} },
		"rounds":            func(o *simulator.Options) { o.Rounds = -1 },
		"run":               func(o *simulator.Options) { o.Run = "No. 1" },
		"concurrency":       func(o *simulator.Options) { o.Concurrency = simulator.MaxConcurrency + 1 },
		"mix":               func(o *simulator.Options) { o.Mix = map[simulator.Scenario]int{"lottery": 1} },
		"cut":               func(o *simulator.Options) { o.Cut = 101 },
		"fund":              func(o *simulator.Options) { o.Fund = walletcore.MustParseMoney("0.001") },
		"retries":           func(o *simulator.Options) { o.Retries = []time.Duration{-1} },
		"timeout":           func(o *simulator.Options) { o.Timeout = -1 },
		"max-findings":      func(o *simulator.Options) { o.MaxFindings = -1 },
		"duplicate-balance": func(o *simulator.Options) { o.Policy.DuplicateBalance = "both" },
	} {
		o := options("process")
		require.NoError(t, o.Validate())
		change(&o)
		err := o.Validate()
		var wrong *simulator.OptionError
		require.ErrorAs(t, err, &wrong, field)
		require.Equal(t, field, wrong.Field, err)
		require.NotContains(t, err.Error(), string(secret))
	}
}

func TestValidate_RefusesAMixThatLeavesNothing(t *testing.T) {
	t.Parallel()
	o := options("subunits")
	o.Mix = map[simulator.Scenario]int{}
	for _, scenario := range simulator.Scenarios() {
		o.Mix[simulator.Scenario(scenario)] = 0
	}
	require.ErrorContains(t, o.Validate(), "leaves no scenario")
	o.Mix[simulator.RolledBackWin] = 1
	require.ErrorContains(t, o.Validate(), "leaves no scenario", "which subunits cannot send")
	o.Mix[simulator.Won] = 1
	require.NoError(t, o.Validate())
}
