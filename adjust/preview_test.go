package adjust_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/adjust"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
)

func (s *suite) preview(p person, r adjust.Request) adjust.Preview {
	s.Helper()
	preview, err := p.Preview(s.Context(), r)
	require.NoError(s, err)
	return preview
}

func parts(real, bonus string) walletcore.Parts {
	return walletcore.Parts{Real: money(real), Bonus: money(bonus)}
}

func TestPreview_TellsWhatPostingWouldDo(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	require.NoError(t, s.post(walletcore.KindBonusGrant, "g-1", "10"))
	for _, r := range []adjust.Request{
		s.real("-100"), s.real("0.00000001"), s.bonus("-10"), s.real("-0.00000002"), s.bonus("-0.01"), s.real("9999999999"),
	} {
		before := s.count(`select count(*) from gaming.entries`)
		p := s.preview(s.mary, r)
		require.Equal(t, before, s.count(`select count(*) from gaming.entries`), "a preview wrote")
		require.Zero(t, s.count(`select count(*) from gaming.adjustments a where gaming.state_of(a) = 'requested'`))
		id := s.request(s.mary, r)
		s.approve(s.sue, id)
		if s.find(id).State == adjust.Requested {
			s.approve(s.sam, id)
		}
		s.newPosterSweep()
		a := s.find(id)
		if p.Refusal != "" {
			require.Equal(t, adjust.Refused, a.State, p.Refusal)
			continue
		}
		require.Equal(t, adjust.Posted, a.State)
		require.Equal(t, p.Before, walletcore.Parts{Real: a.Receipt.RealBefore, Bonus: a.Receipt.BonusBefore})
		require.Equal(t, p.After, walletcore.Parts{Real: a.Receipt.RealAfter, Bonus: a.Receipt.BonusAfter})
	}
	s.requireSound()
}

func TestPreview_TellsADebtAndWhetherOneApprovalWouldDo(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	p := s.preview(s.sam, s.debt("-130"))
	require.Equal(t, parts("-30", "0"), p.After)
	require.Equal(t, money("30"), adjust.Debt(p.After))
	require.Empty(t, p.Refusal)
	require.False(t, p.NeedsTwo)
	require.True(t, s.preview(s.mary, s.debt("-130")).NeedsTwo, "support may ask for no debt alone")
	require.Contains(t, s.preview(s.mary, s.real("-130")).Refusal, "insufficient_funds")
	require.True(t, s.preview(s.mary, s.real("200.00000001")).NeedsTwo)

	id := s.request(s.mary, s.real("200.00000001"))
	approval, err := s.sue.PreviewApproval(t.Context(), s.find(id))
	require.NoError(t, err)
	require.True(t, approval.NeedsTwo)
	require.False(t, s.approve(s.sue, id))
	approval, err = s.sam.PreviewApproval(t.Context(), s.find(id))
	require.NoError(t, err)
	require.False(t, approval.NeedsTwo, "the second one")
	require.True(t, s.approve(s.sam, id))
}

func TestPreview_ShowsTheRoundsThatAreOpen(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	round := func(id string) func(*ledger.Movement) { return func(m *ledger.Movement) { m.RoundID = id } }
	require.NoError(t, s.post(walletcore.KindBet, "lost", "1", round("settled")))
	require.NoError(t, s.post(walletcore.KindWin, "w-1", "0", round("settled")))
	require.NoError(t, s.post(walletcore.KindBet, "back", "1", round("refunded")))
	require.NoError(t, s.post(walletcore.KindRefund, "back", "0"))
	require.NoError(t, s.post(walletcore.KindBet, "again", "1", round("reversed")))
	require.NoError(t, s.post(walletcore.KindWin, "w-2", "2", round("reversed")))
	require.NoError(t, s.post(walletcore.KindWinReversal, "w-2", "0", round("reversed")))
	require.NoError(t, s.post(walletcore.KindBet, "unnamed", "1"))
	for i := range 24 {
		require.NoError(t, s.post(walletcore.KindBet, fmt.Sprint("b-", i), "0.5", round(fmt.Sprint("r-", i))))
	}
	require.NoError(t, s.post(walletcore.KindBet, "b-more", "0.25", round("r-3")))

	open := s.preview(s.mary, s.real("1")).Rounds
	require.Equal(t, 25, open.Count)
	require.Equal(t, money("13.25"), open.Stakes)
	require.Len(t, open.Newest, adjust.ShownRounds)
	require.Equal(t, []any{"r-3", 2, money("0.75")}, []any{open.Newest[0].ID, open.Newest[0].Bets, open.Newest[0].Stakes})
	require.Equal(t, "r-23", open.Newest[1].ID)
}

func TestPreview_TellsWhatIsCorrectedAndWhetherItWasAlready(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	seq := int64(1)
	r := s.real("-100")
	r.CorrectsSeq = &seq
	p := s.preview(s.mary, r)
	require.Equal(t, "d-1", p.Entry.ExternalID)
	require.Empty(t, p.Others)
	id := s.request(s.mary, r)
	given := s.request(s.mary, r)
	require.NoError(t, s.mary.Cancel(t.Context(), given, ""))
	p = s.preview(s.miro, r)
	require.Len(t, p.Others, 1)
	require.Equal(t, id, p.Others[0].ID)
	approval, err := s.sue.PreviewApproval(t.Context(), s.find(id))
	require.NoError(t, err)
	require.Empty(t, approval.Others, "it is not its own other")

	missing := int64(2)
	r.CorrectsSeq = &missing
	_, err = s.mary.Preview(t.Context(), r)
	require.ErrorContains(t, err, "the wallet has no entry 2")
	r.CorrectsSeq, r.Wallet = nil, walletcore.WalletKey{Brand: "x"}.ID()
	_, err = s.mary.Preview(t.Context(), r)
	require.ErrorIs(t, err, adjust.ErrNotFound)
}

func TestPreview_AFrozenWalletIsAdjustedAllTheSame(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	s.exec(`select gaming.freeze_brand('acme', true, 'a drill')`)
	require.True(t, s.preview(s.mary, s.real("-1")).Frozen)
	require.Equal(t, adjust.Posted, s.adjust(s.real("-1")).State)
}
