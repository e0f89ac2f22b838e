package version_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/internal/version"
)

func TestGet_LinkedVersionComesFirst(t *testing.T) {
	t.Cleanup(func() { version.Version = "" })

	require.NotEmpty(t, version.Get().Version, "a build without a tag still has a name")
	require.Equal(t, runtime.Version(), version.Get().Go)

	version.Version = "v9.9.9"
	require.Equal(t, "v9.9.9", version.Get().Version)
}
