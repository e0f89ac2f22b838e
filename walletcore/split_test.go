package walletcore_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/walletctl/walletctl/walletcore"
)

func parts(real, bonus string) walletcore.Parts {
	return walletcore.Parts{Real: walletcore.MustParseMoney(real), Bonus: walletcore.MustParseMoney(bonus)}
}

func TestSplit_ByPolicy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		policy  walletcore.SplitPolicy
		amount  string
		balance walletcore.Parts
		want    walletcore.Parts
	}{
		{walletcore.RealFirst, "5", parts("3", "10"), parts("3", "2")},
		{"", "2", parts("3", "10"), parts("2", "0")},
		{walletcore.BonusFirst, "5", parts("10", "3"), parts("2", "3")},
		{walletcore.BonusFirst, "2", parts("10", "3"), parts("0", "2")},
		{walletcore.Proportional, "4", parts("30", "10"), parts("3", "1")},
		{walletcore.Proportional, "0", parts("0", "0"), parts("0", "0")},
		{walletcore.Proportional, "33.33333333", parts("0.00000001", "99.99999999"), parts("0", "33.33333333")},
		{walletcore.Proportional, "100", parts("0.00000001", "99.99999999"), parts("0.00000001", "99.99999999")},
	} {
		got, ok := c.policy.Split(walletcore.MustParseMoney(c.amount), c.balance)
		require.True(t, ok)
		require.Equal(t, c.want, got, "%s of %s over %v", c.policy, c.amount, c.balance)
	}
}

func TestSplit_ADebtOrTooSmallABalancePaysNothing(t *testing.T) {
	t.Parallel()
	for _, balance := range []walletcore.Parts{parts("-1", "100"), parts("1", "1"), parts("0", "2.99999999")} {
		_, ok := walletcore.RealFirst.Split(walletcore.MustParseMoney("3"), balance)
		require.False(t, ok, "%v", balance)
	}
}

func TestSplit_PartsAddUpAndFitTheirBalances(t *testing.T) {
	t.Parallel()
	amount := rapid.Int64Range(0, walletcore.MaxMoney.Units()/2)
	rapid.Check(t, func(t *rapid.T) {
		balance := walletcore.Parts{
			Real:  walletcore.MoneyFromUnits(amount.Draw(t, "real")),
			Bonus: walletcore.MoneyFromUnits(amount.Draw(t, "bonus")),
		}
		bet := walletcore.MoneyFromUnits(rapid.Int64Range(0, balance.Total().Units()).Draw(t, "bet"))
		policy := rapid.SampledFrom([]walletcore.SplitPolicy{
			walletcore.RealFirst, walletcore.BonusFirst, walletcore.Proportional,
		}).Draw(t, "policy")
		got, ok := policy.Split(bet, balance)
		require.True(t, ok)
		require.Equal(t, bet, got.Total())
		require.GreaterOrEqual(t, got.Real.Sign(), 0)
		require.GreaterOrEqual(t, got.Bonus.Sign(), 0)
		require.LessOrEqual(t, got.Real.Cmp(balance.Real), 0)
		require.LessOrEqual(t, got.Bonus.Cmp(balance.Bonus), 0)

		if !got.Total().IsZero() {
			win := walletcore.MoneyFromUnits(amount.Draw(t, "win"))
			won := walletcore.SplitWin(win, got)
			require.Equal(t, win, won.Total())
			require.GreaterOrEqual(t, won.Real.Sign(), 0)
			require.GreaterOrEqual(t, won.Bonus.Sign(), 0)
		}
	})
}

func TestSplitPolicy_Validate(t *testing.T) {
	t.Parallel()
	require.NoError(t, walletcore.SplitPolicy("").Validate())
	require.NoError(t, walletcore.Proportional.Validate())
	require.Error(t, walletcore.SplitPolicy("half").Validate())
}
