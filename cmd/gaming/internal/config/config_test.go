package config_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/gaming/internal/config"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/provider"
)

const inline = "inline-secret-0123456789"

func world() config.Options {
	env := map[string]string{
		"GAMES": "games-secret-0123456789", "MORE": "more-secret-0123456789", "ZETA": "zeta-secret-0123456789", "SHORT": "short",
	}
	return config.Options{
		LookupEnv: func(name string) (string, bool) { v, ok := env[name]; return v, ok },
		ReadFile:  func(string) ([]byte, error) { return []byte("next-secret-0123456789\n"), nil },
	}
}

const whole = `brands:
  - {brand: acme, split: bonus_first}
providers:
  - provider: games
    brand: acme
    dialect: process
    secrets: ["env:GAMES", "file:/run/secrets/next"]
    namespace: ag
    units: {EUR: 2, DOGE: 3}
    policy: {duplicate_balance: first, ids: global}
    codes:
      insufficient_funds: {status: 402, code: 100}
  - {provider: more, brand: acme, dialect: standard, secrets: [env:MORE], signature: {header: X-Sign, encoding: base64},
     unkeyed: {until: 2027-03-01T01:00:00+01:00, message_id_header: X-Request-Id}}
  - {provider: games, brand: zeta, dialect: process, secrets: [env:ZETA]}
`

func TestParseConfig_ReadsProfiles(t *testing.T) {
	t.Parallel()
	c, err := config.ParseConfig("providers.yaml", []byte(whole), world())
	require.NoError(t, err)
	require.Equal(t, 3, c.Profiles.Len())
	require.Equal(t, map[string]walletcore.SplitPolicy{"acme": walletcore.BonusFirst}, c.Splits)
	p, ok := c.Profiles.Find("acme", "games")
	require.True(t, ok)
	require.Equal(t, "ag", p.Namespace)
	require.Equal(t, provider.First, p.Policy.DuplicateBalance)
	require.Equal(t, provider.Accepted, p.Policy.LateBet, "the dialect's default")
	require.Nil(t, p.Unkeyed, "refused unless a deadline says otherwise")
	p, ok = c.Profiles.Find("acme", "more")
	require.True(t, ok)
	require.Equal(t, &provider.Unkeyed{Until: time.Date(2027, 3, 1, 0, 0, 0, 0, time.UTC), MessageIDHeader: "X-Request-Id"}, p.Unkeyed)
	p, ok = c.Profiles.Find("zeta", "games")
	require.True(t, ok)
	require.Equal(t, "games", p.Namespace)
	require.NotContains(t, fmt.Sprintf("%+v %#v", c, *c), "0123456789")
}

func entry(fields string) string {
	return "providers:\n  - {provider: games, brand: acme, dialect: process, secrets: [env:GAMES]}\n  - {" + fields + "}\n"
}

func TestParseConfig_RefusesWithFileAndLine(t *testing.T) {
	t.Parallel()
	const more = "provider: more, brand: acme, dialect: process, secrets: [env:MORE], "
	for _, c := range []struct{ text, want string }{
		{"", "providers.yaml is empty"},
		{"provider: []\n", "providers.yaml, line 1: the file has an unknown key; known are brands, providers"},
		{"brands: [{brand: a, split: half}]\n", `providers.yaml, line 1: brand a: split policy "half" is not one of real_first, bonus_first, proportional`},
		{"brands:\n- {brand: a, split: real_first}\n- {brand: a, split: real_first}\n", "providers.yaml, line 3: brand a stands twice"},
		{entry("brand: acme, dialect: process"), "providers.yaml, line 3: provider is missing"},
		{entry("provider: more, brand: acme, dialect: process"), "providers.yaml, line 3: provider acme/more: secrets must name at least one secret"},
		{entry("provider: more, brand: acme, dialect: process, secrets: [" + inline + "]"), "providers.yaml, line 3: a secret must refer to a secret, not hold it"},
		{entry("provider: more, brand: acme, dialect: process, secrets: [env:SHORT]"), "providers.yaml, line 3: provider acme/more: secrets hold one that is empty or shorter than 16 bytes"},
		{entry("provider: games, brand: zeta, dialect: process, secrets: [env:GAMES]"), "providers.yaml, line 3: provider zeta/games: secrets hold one that acme/games has too"},
		{entry(more + "limits: 1"), "providers.yaml, line 3: a provider has an unknown key; known are provider, brand, dialect, secrets, namespace, signature, units, policy, codes, unkeyed"},
		{entry(more + "namespace: games"), "providers.yaml, line 3: provider acme/more: namespace is also that of acme/games"},
		{entry(more + "signature: {header: X, encoding: hex}"), "providers.yaml, line 3: provider acme/more: signature does not apply: the dialect fixes it"},
		{entry(more + "unkeyed: {message_id_header: X-Request-Id}"), "providers.yaml, line 3: until is missing"},
		{entry(more + "unkeyed: {until: soon, message_id_header: X-Request-Id}"), "providers.yaml, line 3: until must be a time such as 2027-03-01T00:00:00Z"},
		{entry(more + "unkeyed: {until: 2027-03-01T00:00:00Z}"), "providers.yaml, line 3: message_id_header is missing"},
		{entry(more + "unkeyed: {until: 2027-03-01T00:00:00Z, message_id_header: a b}"), "providers.yaml, line 3: provider acme/more: unkeyed needs a message_id_header of 1 to 64 letters, digits and '-'"},
		{entry(more + "unkeyed: yes"), "providers.yaml, line 3: unkeyed must be a mapping of until, message_id_header"},
		{entry(more + "units: {EUR: two}"), "providers.yaml, line 3: a unit must be an integer"},
		{entry(more + "units: {EUR: 2, EUR: 3}"), "providers.yaml, line 3: EUR stands twice"},
		{entry(more + "units: [EUR]"), "providers.yaml, line 3: units must be a mapping"},
		{entry(more + "policy: {late_bet: first}"), "providers.yaml, line 3: late_bet of a policy is not one of refused, accepted"},
		{entry(more + "policy: {early_bet: refused}"), "providers.yaml, line 3: early_bet of a policy is not one of duplicate_balance, late_bet, unknown_rollback, refund_after_win, win_without_bet, win_rollback, ids"},
		{entry(more + "codes: {frozen: {code: 1}}"), "providers.yaml, line 3: status is missing"},
		{entry(more + "codes: {frozen: {status: 400, code: x}}"), "providers.yaml, line 3: provider acme/more: codes hold one that is no number, which the dialect needs"},
	} {
		_, err := config.ParseConfig("providers.yaml", []byte(c.text), world())
		require.EqualError(t, err, c.want)
		require.NotContains(t, err.Error(), inline)
	}
}
