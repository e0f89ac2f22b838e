package adjust_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/adjust"
	"github.com/walletctl/walletctl/walletcore"
)

func TestAdjustment_BelowZeroIsRefusedAndNeverClamped(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	require.NoError(t, s.post(walletcore.KindBonusGrant, "g-1", "10"))
	for _, r := range []adjust.Request{s.real("-100.00000001"), s.bonus("-10.00000001")} {
		a := s.adjust(r)
		require.Equal(t, adjust.Refused, a.State)
		require.Nil(t, a.Receipt)
		steps, err := s.mary.Steps(t.Context(), a.ID)
		require.NoError(t, err)
		last := steps[len(steps)-1]
		require.Equal(t, []string{"refused", "gaming", "gaming-1", "gaming test"}, []string{last.Step, last.Actor, last.Host, last.Client})
		require.Contains(t, last.Note, "insufficient_funds: an adjustment of "+a.Amount().String())
	}
	s.requireBalance("100", "10", "0")

	require.Equal(t, adjust.Posted, s.adjust(s.real("-100")).State)
	require.Equal(t, adjust.Posted, s.adjust(s.bonus("-10")).State)
	s.requireBalance("0", "0", "0")
	s.requireSound()
}

func TestAdjustment_OverflowIsRefused(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	s.exec(`update gaming.adjustment_limits set per_adjustment = 9999999999, per_day = 9999999999`)
	require.Equal(t, adjust.Refused, s.adjust(s.real("9999999900")).State)
	s.requireBalance("100", "0", "0")
	s.requireSound()
}

func TestDebt_IsMadeWhereAskedAndAllowedAndLoweredByRealCreditsOnly(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	// Support may not ask for a debt alone: two supervisors are needed.
	id := s.request(s.mary, s.debt("-150"))
	require.False(t, s.approve(s.sue, id))
	require.True(t, s.approve(s.sam, id))
	require.Equal(t, 1, s.sweep())
	a := s.find(id)
	require.Equal(t, money("-50"), a.Receipt.RealAfter)
	require.Equal(t, []any{money("-150"), true}, []any{a.Real, a.AllowDebt})
	s.requireBalance("-50", "0", "50")

	for _, kind := range []walletcore.Kind{walletcore.KindBet, walletcore.KindWithdrawal} {
		var refused *walletcore.RefusedError
		require.ErrorAs(t, s.post(kind, "x-1", "1"), &refused)
		require.Equal(t, walletcore.RefusedDebt, refused.Code)
	}
	require.NoError(t, s.post(walletcore.KindBonusGrant, "g-1", "30"))
	s.requireBalance("-50", "30", "50")
	require.Equal(t, adjust.Posted, s.adjust(s.bonus("5")).State)
	s.requireBalance("-50", "35", "50")
	require.Equal(t, adjust.Refused, s.adjust(s.real("-1")).State, "deeper into debt, unasked")
	require.Equal(t, adjust.Posted, s.adjust(s.real("20")).State)
	s.requireBalance("-30", "35", "30")
	s.credit("d-2", "29")
	s.requireBalance("-1", "35", "1")
	s.credit("d-3", "2")
	s.requireBalance("1", "35", "0")
	require.NoError(t, s.post(walletcore.KindBet, "b-1", "1"))
	s.requireSound()
}

func TestDebt_ASupervisorAsksAndAnotherApproves(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	id := s.request(s.sam, s.debt("-150"))
	require.True(t, s.approve(s.sue, id), "both may")
	require.Equal(t, 1, s.sweep())
	s.requireBalance("-50", "0", "50")
	s.requireSound()
}

func TestDebt_WhoMayNotApproveOneCannot(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	s.exec(`insert into gaming.adjustment_limits values ($1, 'approve', '*', 1000, 1000, false)`, s.sue.name)
	id := s.request(s.sam, s.debt("-150"))
	_, err := s.sue.Approve(t.Context(), id, "")
	var rule *adjust.RuleError
	require.ErrorAs(t, err, &rule)
	require.False(t, rule.Ended)
	require.Contains(t, rule.Text, "may make a debt")
	// Without a debt in it she may.
	require.True(t, s.approve(s.sue, s.request(s.sam, s.real("-150"))))
}

func TestDebt_AskedForAndNotNeededIsNone(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	require.True(t, s.approve(s.sue, s.request(s.sam, s.debt("-100"))))
	require.Equal(t, 1, s.sweep())
	s.requireBalance("0", "0", "0")
	s.requireSound()
}
