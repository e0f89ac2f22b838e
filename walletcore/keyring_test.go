package walletcore_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
)

const secretHex = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

func TestLoadKeyring_ReadsTheFile(t *testing.T) {
	t.Parallel()
	keys, err := walletcore.LoadKeyring(keyFile(t, "active: 2\nkeys:\n  1: "+secretHex+"\n  2: "+secretHex+"\n"))
	require.NoError(t, err)
	require.EqualValues(t, 2, keys.Active())
}

func TestLoadKeyring_ErrorsSayWhatIsWrongAndShowNoSecret(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{
		"empty":          "",
		"no keys":        "active: 1\n",
		"active unknown": "active: 2\nkeys:\n  1: " + secretHex + "\n",
		"short":          "active: 1\nkeys:\n  1: 0011\n",
		"not hex":        "active: 1\nkeys:\n  1: z" + secretHex[1:] + "\n",
		"unknown field":  "active: 1\nsecret: " + secretHex + "\nkeys:\n  1: " + secretHex + "\n",
		"id zero":        "active: 0\nkeys:\n  0: " + secretHex + "\n",
		"a bare secret":  secretHex,
	} {
		_, err := walletcore.LoadKeyring(keyFile(t, content))
		require.Error(t, err, name)
		require.NotContains(t, err.Error(), secretHex[1:20], name)
		require.False(t, strings.Contains(err.Error(), "\n"), "one line: %v", err)
	}
	_, err := walletcore.LoadKeyring(filepath.Join(t.TempDir(), "none"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestKeyring_SignaturesOfFilesAreApart(t *testing.T) {
	t.Parallel()
	keys := testKeyring(t)
	checkpoint, err := keys.SignFile(1, "checkpoint", []byte("x"))
	require.NoError(t, err)
	other, err := keys.SignFile(1, "other", []byte("x"))
	require.NoError(t, err)
	require.NotEqual(t, checkpoint, other)
	_, err = keys.SignFile(9, "checkpoint", nil)
	require.Error(t, err)
}

func keyFile(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "keys.yaml")
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}
