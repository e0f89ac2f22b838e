package config_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/gaming/internal/config"
)

// FuzzParseConfig: whatever stands in the file is a configuration or one line
// that names it, without a secret.
func FuzzParseConfig(f *testing.F) {
	f.Add([]byte(whole))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := config.ParseConfig("providers.yaml", data, world())
		if err == nil {
			require.GreaterOrEqual(t, c.Profiles.Len(), 0)
			for _, split := range c.Splits {
				require.NoError(t, split.Validate())
			}
			return
		}
		var bad *config.Error
		require.ErrorAs(t, err, &bad)
		require.True(t, strings.HasPrefix(err.Error(), "providers.yaml"), err.Error())
		if !strings.Contains(string(data), "secret-0123456789") {
			require.NotContains(t, err.Error(), "secret-0123456789")
		}
	})
}
