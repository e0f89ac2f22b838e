package record_test

import (
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/record"
)

func TestSum_IsExactBeyondAnyAmount(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		limit := walletcore.MaxMoney.Units()
		units := rapid.SliceOfN(rapid.Int64Range(-limit, limit), 0, 200).Draw(r, "units")
		sign := rapid.SampledFrom([]int64{0, 1, -1}).Draw(r, "sign")
		var sum record.Sum
		want := decimal.Decimal{}
		for _, n := range units {
			if sign != 0 && n*sign < 0 {
				n = -n
			}
			sum.Add(walletcore.MoneyFromUnits(n))
			want = want.Add(walletcore.MoneyFromUnits(n).Decimal())
		}
		require.True(r, want.Equal(sum.Decimal()), "%s, not %s", sum, want)
	})
}
