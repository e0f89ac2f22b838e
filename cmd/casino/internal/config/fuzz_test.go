package config_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/casino/internal/config"
)

// FuzzParseConfig: whatever stands in the file is a configuration or one line
// that names it, without a secret.
func FuzzParseConfig(f *testing.F) {
	f.Add([]byte(whole))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := config.ParseConfig("casino.yaml", data, world())
		if err == nil {
			require.True(t, c.Tokens.Len() >= 0 && c.Accounts.Len() >= 0)
			return
		}
		var bad *config.Error
		require.ErrorAs(t, err, &bad)
		require.True(t, strings.HasPrefix(err.Error(), "casino.yaml"), err.Error())
		if !strings.Contains(string(data), "0123456789") {
			require.NotContains(t, err.Error(), "0123456789")
		}
	})
}
