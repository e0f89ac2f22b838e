package chaincheck_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/chaincheck"
)

func TestSplitIDs_CoverEveryIDOnce(t *testing.T) {
	t.Parallel()
	for _, wallets := range []int64{0, 1, 20_000, 999_999, 50_000_000, 1 << 40} {
		for _, workers := range []int{1, 3, 64} {
			list := chaincheck.SplitIDs(wallets, workers)
			require.Equal(t, uuid.Nil, list[0][0])
			require.Equal(t, uuid.Max, list[len(list)-1][1])
			for i := 1; i < len(list); i++ {
				require.Equal(t, list[i][0], chaincheck.After(list[i-1][1]), "%d wallets, %d workers, range %d", wallets, workers, i)
				require.Positive(t, compare(list[i][1], list[i][0]))
			}
			require.LessOrEqual(t, len(list), 4096)
		}
	}
}

func compare(a, b uuid.UUID) int {
	for i := range a {
		if a[i] != b[i] {
			return int(a[i]) - int(b[i])
		}
	}
	return 0
}
