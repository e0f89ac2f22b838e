package config_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/casino/internal/config"
)

func token(fields string) string {
	return "service_tokens:\n  - {name: a, brand: acme, token: 'env:ACME_TOKEN'}\n  - {" + fields + "}\n"
}

func account(fields string) string {
	return "gateways:\n  - {gateway: stripe, account: acme-eu, brand: acme, dialect: stripe, secrets: ['env:STRIPE_SECRET']}\n" +
		"  - {" + fields + "}\n"
}

func TestParseConfig_RefusesWithFileAndLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"", "casino.yaml is empty"},
		{"# nothing\n", "casino.yaml is empty"},
		{"- a\n", "casino.yaml, line 1: the file must be a mapping of service_tokens, gateways"},
		{"service_tokens: []\n---\ngateways: []\n", "casino.yaml holds more than one document"},
		{"a: b\n  c: d: e\n", "casino.yaml, line 2: is not valid YAML"},
		{"service_tokens: []\ngateway: []\n", "casino.yaml, line 2: the file has an unknown key; known are service_tokens, gateways"},
		{"gateways: []\ngateways: []\n", "casino.yaml, line 2: gateways stands twice"},
		{"gateways: {}\n", "casino.yaml, line 1: gateways must be a list"},
		{"\n\ngateways: [x]\n", "casino.yaml, line 3: a gateway must be a mapping of gateway, account, brand, dialect, secrets, tolerance"},

		{token("brand: b, token: 'env:ZETA_TOKEN'"), "casino.yaml, line 3: name is missing"},
		{token("name: b, token: 'env:ZETA_TOKEN'"), "casino.yaml, line 3: brand is missing"},
		{token("name: b, brand: b"), "casino.yaml, line 3: token is missing"},
		{token("name: b, brand: b, token: "), "casino.yaml, line 3: token must be a text"},
		{token("name: b, brand: [b], token: 'env:ZETA_TOKEN'"), "casino.yaml, line 3: brand must be a text"},
		{token("name: b, brand: b, tokens: x"), "casino.yaml, line 3: a service token has an unknown key; known are name, brand, token"},
		{token("name: b, brand: b, token: '" + inline + "'"), "casino.yaml, line 3: token must refer to a secret, not hold it"},
		{token("name: b, brand: b, token: 'env:" + inline + "'"), "casino.yaml, line 3: token must refer to a secret, not hold it"},
		{token("name: b, brand: b, token: 'file:relative'"), "casino.yaml, line 3: token must refer to a secret, not hold it"},
		{token("name: b, brand: b, token: 'env:'"), "casino.yaml, line 3: token must refer to a secret, not hold it"},
		{token("name: b, brand: b, token: 'env:NONE'"), "casino.yaml, line 3: token refers to the variable NONE, which is not set or empty"},
		{token("name: b, brand: b, token: 'env:BLANK'"), "casino.yaml, line 3: token refers to the variable BLANK, which is not set or empty"},
		{token("name: b, brand: b, token: 'env:SHORT'"), "casino.yaml, line 3: service token b: token is empty or shorter than 16 bytes"},
		{token("name: b, brand: b, token: 'file:/none'"), "casino.yaml, line 3: token refers to /none, which cannot be read: file does not exist"},
		{token("name: b, brand: b, token: 'file:/run/secrets/empty'"), "casino.yaml, line 3: token refers to /run/secrets/empty, which is empty"},
		{token("name: a, brand: b, token: 'env:ZETA_TOKEN'"), "casino.yaml, line 3: service token a: name stands twice"},
		{token("name: b, brand: b, token: 'env:ACME_TOKEN'"), "casino.yaml, line 3: service token b: token is the same as that of a"},

		{account("gateway: stripe, account: acme-eu, brand: acme, dialect: stripe, secrets: ['file:/run/secrets/next']"), "casino.yaml, line 3: account stripe/acme-eu: account stands twice"},
		{account("gateway: stripe, account: zeta, brand: zeta, dialect: stripe, secrets: ['file:/run/secrets/same']"), "casino.yaml, line 3: account stripe/zeta: secrets hold one that stripe/acme-eu has too"},
		{account("gateway: stripe, account: zeta, brand: zeta, dialect: paypal, secrets: ['env:PIX_SECRET']"), "casino.yaml, line 3: account stripe/zeta: dialect is unknown; there are generic, stripe"},
		{account("gateway: stripe, account: zeta, brand: zeta, dialect: stripe"), "casino.yaml, line 3: account stripe/zeta: secrets must name at least one secret"},
		{account("gateway: stripe, account: zeta, brand: zeta, dialect: stripe, secrets: []"), "casino.yaml, line 3: account stripe/zeta: secrets must name at least one secret"},
		{account("gateway: stripe, account: zeta, brand: zeta, dialect: stripe, secrets: '" + inline + "'"), "casino.yaml, line 3: secrets must be a list"},
		{account("gateway: stripe, account: zeta, brand: zeta, dialect: stripe, secrets: ['" + inline + "']"), "casino.yaml, line 3: a secret must refer to a secret, not hold it"},
		{account("gateway: stripe, account: zeta, brand: zeta, dialect: stripe, secrets: [*" + inline + "]"), "casino.yaml is not valid YAML"},
		{account("gateway: stripe, account: zeta, brand: zeta, dialect: stripe, secrets: [{" + inline + ": 1}]"), "casino.yaml, line 3: a secret must be a text"},
		{account("gateway: stripe, account: zeta, brand: zeta, dialect: stripe, secrets: [env:SHORT]"), "casino.yaml, line 3: account stripe/zeta: secrets hold one that is empty or shorter than 16 bytes"},
		{account("gateway: Stripe, account: zeta, brand: zeta, dialect: stripe, secrets: [env:PIX_SECRET]"), "casino.yaml, line 3: account Stripe/zeta: gateway must be 1 to 64 of a-z, 0-9, '-', '_', '.'"},
		{account("gateway: stripe, account: zeta, brand: zeta, dialect: stripe, secrets: [env:PIX_SECRET], tolerance: 5"), "casino.yaml, line 3: tolerance must be a duration above zero, such as 300s"},
		{account("gateway: stripe, account: zeta, brand: zeta, dialect: stripe, secrets: [env:PIX_SECRET], tolerance: 0s"), "casino.yaml, line 3: tolerance must be a duration above zero, such as 300s"},
		{account("gateway: stripe, account: zeta, brand: zeta, dialect: stripe, secrets: [env:PIX_SECRET], tolerance: 2h"), "casino.yaml, line 3: account stripe/zeta: tolerance must be whole seconds, at most 1h"},
		{account("gateway: pix, account: zeta, brand: zeta, dialect: generic, secrets: [env:PIX_SECRET], tolerance: 5s"), "casino.yaml, line 3: account pix/zeta: tolerance does not apply: generic signs no time"},
	} {
		_, err := config.ParseConfig("casino.yaml", []byte(c.text), world())
		require.EqualError(t, err, c.want)
		require.NotContains(t, err.Error(), inline)
	}
}

func TestParseConfig_TheLineIsThatOfTheField(t *testing.T) {
	t.Parallel()
	_, err := config.ParseConfig("casino.yaml", []byte(`gateways:
  - gateway: stripe
    account: acme-eu
    brand: acme
    dialect: stripe
    secrets:
      - env:STRIPE_SECRET
      - env:NONE
`), world())
	require.EqualError(t, err, "casino.yaml, line 8: a secret refers to the variable NONE, which is not set or empty")
	var refused *config.Error
	require.ErrorAs(t, err, &refused)
	require.Equal(t, "set NONE in the environment of the service", refused.Hint())
}
