package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/provider"
	"github.com/walletctl/walletctl/walletcore/signature"
)

func TestNewProfile_RefusesWhatCouldNeverServe(t *testing.T) {
	t.Parallel()
	form := &signature.Form{Header: "X-Sign", Encoding: signature.Hex}
	for _, c := range []struct {
		dialect, field string
		change         func(*provider.ProfileOptions)
	}{
		{"standard", "brand", func(o *provider.ProfileOptions) { o.Brand = " " }},
		{"standard", "provider", func(o *provider.ProfileOptions) { o.Provider = "A/b" }},
		{"none", "dialect", func(*provider.ProfileOptions) {}},
		{"standard", "namespace", func(o *provider.ProfileOptions) { o.Namespace = strings.Repeat("x", 65) }},
		{"standard", "namespace", func(o *provider.ProfileOptions) { o.Namespace = "a:b" }},
		{"standard", "secrets", func(o *provider.ProfileOptions) { o.Secrets = nil }},
		{"standard", "secrets", func(o *provider.ProfileOptions) { o.Secrets = [][]byte{secret, []byte("short")} }},
		{"process", "signature", func(o *provider.ProfileOptions) { o.Signature = form }},
		{"standard", "signature", func(o *provider.ProfileOptions) { o.Signature = &signature.Form{} }},
		{"standard", "units", func(o *provider.ProfileOptions) { o.Units = map[string]int{"EUR": 2} }},
		{"process", "units", func(o *provider.ProfileOptions) { o.Units = map[string]int{"EUR": 9} }},
		{"process", "units", func(o *provider.ProfileOptions) { o.Units = map[string]int{"eur": 2} }},
		{"standard", "late_bet", func(o *provider.ProfileOptions) { o.Policy.LateBet = provider.First }},
		{"standard", "codes", func(o *provider.ProfileOptions) {
			o.Codes = map[provider.Reason]provider.Code{"nothing": {Status: 400}}
		}},
		{"standard", "codes", func(o *provider.ProfileOptions) {
			o.Codes = map[provider.Reason]provider.Code{provider.NoFunds: {Status: 99}}
		}},
		{"standard", "codes", func(o *provider.ProfileOptions) {
			o.Codes = map[provider.Reason]provider.Code{provider.Unavailable: {Status: 200}}
		}},
		{"process", "codes", func(o *provider.ProfileOptions) {
			o.Codes = map[provider.Reason]provider.Code{provider.NoFunds: {Status: 400, Code: "no"}}
		}},
	} {
		_, err := provider.NewProfile(options(c.dialect, c.change))
		var refused *provider.ProfileError
		require.ErrorAs(t, err, &refused, c.field)
		require.Equal(t, c.field, refused.Field)
	}
}

func TestNewProfile_EveryDialectStandsOnItsOwn(t *testing.T) {
	t.Parallel()
	for _, dialect := range provider.DialectNames() {
		p, err := provider.NewProfile(options(dialect))
		require.NoError(t, err)
		require.Equal(t, "games", p.Namespace)
	}
}

func TestProfile_NoVerbPrintsItsSecrets(t *testing.T) {
	t.Parallel()
	p, err := provider.NewProfile(options("standard"))
	require.NoError(t, err)
	for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		require.NotContains(t, fmt.Sprintf(format, p), string(secret))
		require.Contains(t, fmt.Sprintf(format, p), "acme/games")
	}
}

func TestProfiles_RefuseTwins(t *testing.T) {
	t.Parallel()
	other := func(change func(*provider.ProfileOptions)) error {
		first, err := provider.NewProfile(options("standard"))
		require.NoError(t, err)
		second, err := provider.NewProfile(options("standard", func(o *provider.ProfileOptions) {
			o.Brand, o.Secrets = "zeta", [][]byte{[]byte("the-secret-of-zeta-games")}
		}, change))
		require.NoError(t, err)
		_, err = provider.NewProfiles(first, second)
		return err
	}
	require.NoError(t, other(func(*provider.ProfileOptions) {}), "two brands may have one provider")
	require.EqualError(t, other(func(o *provider.ProfileOptions) { o.Brand = "acme" }), "provider acme/games: provider stands twice")
	require.EqualError(t, other(func(o *provider.ProfileOptions) { o.Secrets = append(o.Secrets, secret) }),
		"provider zeta/games: secrets hold one that acme/games has too")
	require.EqualError(t, other(func(o *provider.ProfileOptions) { o.Policy.IDs = provider.Global }),
		"provider zeta/games: namespace is also that of acme/games")
	require.EqualError(t, other(func(o *provider.ProfileOptions) { o.Brand, o.Provider, o.Namespace = "acme", "more", "games" }),
		"provider acme/more: namespace is also that of acme/games")
}

func TestPolicy_SetTakesOnlyItsOwnAnswers(t *testing.T) {
	t.Parallel()
	var p provider.Policy
	require.NoError(t, p.Set("win_rollback", "debt"))
	require.Equal(t, provider.Policy{WinRollback: provider.Debt}, p)
	require.EqualError(t, p.Set("late_bet", "first"), "is not one of refused, accepted")
	require.ErrorContains(t, p.Set("early_bet", "refused"), "is not one of duplicate_balance, late_bet")
}
