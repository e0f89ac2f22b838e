package config_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/casino/internal/config"
)

const inline = "inline-secret-0123456789"

// world is an environment and a file system.
func world() config.Options {
	env := map[string]string{
		"ACME_TOKEN": "acme-token-0123456789", "ZETA_TOKEN": "zeta-token-0123456789",
		"STRIPE_SECRET": "whsec_0123456789abcdef", "PIX_SECRET": "pix-secret-0123456789",
		"SHORT": "short", "BLANK": "  ",
	}
	files := map[string]string{
		"/run/secrets/next": "whsec_next_0123456789\n", "/run/secrets/crlf": "whsec_crlf_0123456789\r\n",
		"/run/secrets/same": "whsec_0123456789abcdef\n", "/run/secrets/empty": "\n",
	}
	return config.Options{
		LookupEnv: func(name string) (string, bool) { v, ok := env[name]; return v, ok },
		ReadFile: func(path string) ([]byte, error) {
			if content, ok := files[path]; ok {
				return []byte(content), nil
			}
			return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
		},
	}
}

const whole = `# who may call casino
service_tokens:
  - {name: site-acme, brand: acme, token: "env:ACME_TOKEN"}
  - name: site-zeta
    brand: zeta
    token: env:ZETA_TOKEN
gateways:
  - {gateway: stripe, account: acme-eu, brand: acme, dialect: stripe,
     secrets: ["env:STRIPE_SECRET", "file:/run/secrets/next", "file:/run/secrets/crlf"], tolerance: 60s}
  - {gateway: pix, account: acme-br, brand: acme, dialect: generic, secrets: ["env:PIX_SECRET"]}
`

func TestParseConfig_ReadsTokensAndAccounts(t *testing.T) {
	t.Parallel()
	c, err := config.ParseConfig("casino.yaml", []byte(whole), world())
	require.NoError(t, err)
	require.Equal(t, 2, c.Tokens.Len())
	require.Equal(t, 2, c.Accounts.Len())
	account, ok := c.Accounts.Find("stripe", "acme-eu")
	require.True(t, ok)
	require.Equal(t, "acme", account.Brand)
	require.Equal(t, "stripe", account.Dialect)
	require.Equal(t, []string{"acme-br"}, c.Accounts.Names("acme", "pix"))
	require.NotContains(t, fmt.Sprintf("%+v %#v", c, *c), "0123456789")
}

func TestParseConfig_NoEntriesIsAConfig(t *testing.T) {
	t.Parallel()
	c, err := config.ParseConfig("casino.yaml", []byte("service_tokens: []\ngateways:\n"), world())
	require.NoError(t, err)
	require.Zero(t, c.Tokens.Len())
	require.Zero(t, c.Accounts.Len())
}

func TestLoadConfig_TakesTheProcessesEnvironment(t *testing.T) {
	t.Setenv("CASINO_TEST_TOKEN", "acme-token-0123456789")
	secret := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(secret, []byte("pix-secret-0123456789\n"), 0o600))
	path := filepath.Join(t.TempDir(), "casino.yaml")
	require.NoError(t, os.WriteFile(path, []byte("service_tokens: [{name: a, brand: b, token: 'env:CASINO_TEST_TOKEN'}]\n"+
		"gateways: [{gateway: pix, account: b, brand: b, dialect: generic, secrets: ['file:"+secret+"']}]\n"), 0o600))
	c, err := config.LoadConfig(path, config.Options{})
	require.NoError(t, err)
	require.Equal(t, 1, c.Accounts.Len())
}

func TestLoadConfig_NamesAFileThatIsNotThere(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "none.yaml")
	_, err := config.LoadConfig(path, config.Options{})
	require.EqualError(t, err, path+" cannot be read: no such file or directory")
}
