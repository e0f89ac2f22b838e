package gateway_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/gateway"
)

func options(change func(*gateway.AccountOptions)) gateway.AccountOptions {
	o := gateway.AccountOptions{
		Gateway: "stripe", Name: "acme-eu", Brand: "acme", Dialect: "stripe", Secrets: [][]byte{secret},
	}
	change(&o)
	return o
}

func account(t testing.TB, change func(*gateway.AccountOptions)) *gateway.Account {
	t.Helper()
	a, err := gateway.NewAccount(options(change))
	require.NoError(t, err)
	return a
}

func TestNewAccount_RefusesWhatCouldNeverServe(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		field  string
		change func(*gateway.AccountOptions)
	}{
		{"gateway", func(o *gateway.AccountOptions) { o.Gateway = "" }},
		{"gateway", func(o *gateway.AccountOptions) { o.Gateway = "Stripe" }},
		{"gateway", func(o *gateway.AccountOptions) { o.Gateway = "a/b" }},
		{"account", func(o *gateway.AccountOptions) { o.Name = ".." }},
		{"account", func(o *gateway.AccountOptions) { o.Name = "acme eu" }},
		{"brand", func(o *gateway.AccountOptions) { o.Brand = " " }},
		{"dialect", func(o *gateway.AccountOptions) { o.Dialect = "paypal" }},
		{"secrets", func(o *gateway.AccountOptions) { o.Secrets = nil }},
		{"secrets", func(o *gateway.AccountOptions) { o.Secrets = [][]byte{secret, {}} }},
		{"secrets", func(o *gateway.AccountOptions) { o.Secrets = [][]byte{[]byte("                ")} }},
		{"secrets", func(o *gateway.AccountOptions) { o.Secrets = [][]byte{[]byte("too-short")} }},
		{"tolerance", func(o *gateway.AccountOptions) { o.Tolerance = -time.Second }},
		{"tolerance", func(o *gateway.AccountOptions) { o.Tolerance = 2 * time.Hour }},
		{"tolerance", func(o *gateway.AccountOptions) { o.Tolerance = time.Millisecond }},
		{"tolerance", func(o *gateway.AccountOptions) { o.Dialect, o.Tolerance = "generic", time.Minute }},
	} {
		_, err := gateway.NewAccount(options(c.change))
		var refused *gateway.AccountError
		require.ErrorAs(t, err, &refused)
		require.Equal(t, c.field, refused.Field)
	}
}

func TestAccount_NoVerbPrintsItsSecrets(t *testing.T) {
	t.Parallel()
	a := account(t, func(*gateway.AccountOptions) {})
	for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		require.NotContains(t, fmt.Sprintf(format, a), string(secret))
		require.Contains(t, fmt.Sprintf(format, a), "stripe/acme-eu")
	}
}

func TestNewAccounts_RefusesTwins(t *testing.T) {
	t.Parallel()
	first := account(t, func(*gateway.AccountOptions) {})
	_, err := gateway.NewAccounts(first, account(t, func(o *gateway.AccountOptions) { o.Secrets = [][]byte{newSecret} }))
	require.EqualError(t, err, "account stripe/acme-eu: account stands twice")

	// What is signed for acme would otherwise be accepted as zeta's.
	_, err = gateway.NewAccounts(first, account(t, func(o *gateway.AccountOptions) {
		o.Name, o.Brand, o.Secrets = "zeta-eu", "zeta", [][]byte{newSecret, secret}
	}))
	require.EqualError(t, err, "account stripe/zeta-eu: secrets hold one that stripe/acme-eu has too")
}

func TestAccounts_NamesAreABrandsOwn(t *testing.T) {
	t.Parallel()
	add := func(name, brand, gw string) *gateway.Account {
		return account(t, func(o *gateway.AccountOptions) {
			o.Gateway, o.Name, o.Brand = gw, name, brand
			o.Secrets = [][]byte{[]byte("the-secret-of-" + gw + "-" + name)}
		})
	}
	accounts, err := gateway.NewAccounts(add("b", "acme", "stripe"), add("a", "acme", "stripe"),
		add("c", "zeta", "stripe"), add("a", "acme", "pix"))
	require.NoError(t, err)
	require.Equal(t, 4, accounts.Len())
	require.Equal(t, []string{"a", "b"}, accounts.Names("acme", "stripe"))
	require.Equal(t, []string{"c"}, accounts.Names("zeta", "stripe"))
	require.Empty(t, accounts.Names("zeta", "pix"))
	_, ok := accounts.Find("Stripe", "a")
	require.False(t, ok)
}
