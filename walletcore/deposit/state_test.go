package deposit_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/deposit"
)

func TestStatus_OnlyTheDesignedMovesAreLegal(t *testing.T) {
	t.Parallel()
	legal := map[[2]deposit.Status]bool{
		{deposit.Pending, deposit.Confirmed}:  true,
		{deposit.Pending, deposit.Expired}:    true,
		{deposit.Pending, deposit.Failed}:     true,
		{deposit.Expired, deposit.Confirmed}:  true,
		{deposit.Failed, deposit.Confirmed}:   true,
		{deposit.Confirmed, deposit.Credited}: true,
	}
	for _, from := range deposit.Statuses() {
		for _, to := range deposit.Statuses() {
			require.Equal(t, legal[[2]deposit.Status{from, to}], from.CanMove(to), "%s to %s", from, to)
		}
	}
}
