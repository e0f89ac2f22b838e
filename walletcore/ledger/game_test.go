package ledger_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// play is a movement of the bench's wallet, with its round.
func (b *bench) play(kind walletcore.Kind, id, amount string, change ...func(*ledger.Movement)) ledger.Movement {
	m := b.movement(id, "1.00")
	m.Kind, m.Actor, m.RoundID = kind, "acme-games", "round-1"
	m.Amount = walletcore.MustParseMoney(amount)
	for _, c := range change {
		c(&m)
	}
	return m
}

// must posts movements one by one, each of which has to stand.
func (b *bench) must(movements ...ledger.Movement) []walletcore.Posted {
	b.t.Helper()
	posted := make([]walletcore.Posted, len(movements))
	for i, m := range movements {
		outcomes, err := b.post(m)
		require.NoError(b.t, err)
		require.NoError(b.t, outcomes[0].Err, "%s %s", m.Kind, m.ExternalID)
		posted[i] = outcomes[0].Posted
	}
	return posted
}

func (b *bench) mustRefuse(code walletcore.RefusalCode, m ledger.Movement) {
	b.t.Helper()
	outcomes, err := b.post(m)
	require.NoError(b.t, err)
	var refused *walletcore.RefusedError
	require.ErrorAs(b.t, outcomes[0].Err, &refused, "%s %s", m.Kind, m.ExternalID)
	require.Equal(b.t, code, refused.Code)
	require.Zero(b.t, b.count(`select count(*) from gaming.entries where kind = $1::text::gaming.movement_kind and external_id = $2`,
		string(m.Kind), m.ExternalID), "a refusal leaves nothing behind")
}

// requireBalance asserts what the bench's wallet holds.
func (b *bench) requireBalance(real, bonus string) {
	b.t.Helper()
	wallet, err := ledger.NewReader(b.owner).Wallet(b.t.Context(), b.request("", "1").Wallet.ID())
	require.NoError(b.t, err)
	require.Equal(b.t, walletcore.MustParseMoney(real), wallet.Real, "real is %s", wallet.Real)
	require.Equal(b.t, walletcore.MustParseMoney(bonus), wallet.Bonus, "bonus is %s", wallet.Bonus)
}

// funded is a bench whose wallet holds 100 real and 50 bonus.
func funded(t *testing.T) *bench {
	t.Helper()
	b := newBench(t)
	b.must(b.play(walletcore.KindDeposit, "d-1", "100"), b.play(walletcore.KindBonusGrant, "g-1", "50"))
	return b
}

func TestBet_TakesItsSplitOnceAndTheRefundGivesItBack(t *testing.T) {
	t.Parallel()
	b := funded(t)
	bet := b.play(walletcore.KindBet, "b-1", "120")
	first := b.must(bet)[0]
	b.requireBalance("0", "30")
	again := b.must(bet)[0]
	require.True(t, again.Replayed)
	require.Equal(t, first.Receipt, again.Receipt)

	// The same id for bet and refund, then refunds with ids of their own.
	for _, own := range []string{"b-1", "r-1", "r-2"} {
		b.must(b.play(walletcore.KindRefund, "b-1", "0", func(m *ledger.Movement) { m.Reference = own }))
	}
	b.requireBalance("100", "50")
	require.Equal(t, 1, b.count(`select count(*) from gaming.entries where kind = 'refund'`))
	b.requireClosed()
}

func TestBet_OfAWalletThatWasNeverBornIsRefusedAndOpensNone(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.mustRefuse(walletcore.RefusedNoFunds, b.play(walletcore.KindBet, "b-1", "1"))
	b.mustRefuse(walletcore.RefusedNoFunds, b.play(walletcore.KindWithdrawal, "q-1", "1"))
	require.Zero(t, b.count(`select count(*) from gaming.wallets`))
	b.must(b.play(walletcore.KindBet, "b-1", "0")) // a free round
	b.requireClosed()
}

func TestBet_OtherContentIsAConflict(t *testing.T) {
	t.Parallel()
	b := funded(t)
	b.must(b.play(walletcore.KindBet, "b-1", "10"))
	for field, m := range map[string]ledger.Movement{
		"amount":   b.play(walletcore.KindBet, "b-1", "11"),
		"round_id": b.play(walletcore.KindBet, "b-1", "10", func(m *ledger.Movement) { m.RoundID = "round-2" }),
	} {
		outcomes, err := b.post(m)
		require.NoError(t, err)
		var conflict *walletcore.ConflictError
		require.ErrorAs(t, outcomes[0].Err, &conflict)
		require.Equal(t, field, conflict.Field)
	}
	outcomes, err := b.post(b.play(walletcore.KindRefund, "b-1", "9.99"))
	require.NoError(t, err)
	var conflict *walletcore.ConflictError
	require.ErrorAs(t, outcomes[0].Err, &conflict, "a refund of another amount than the bet's")
	b.requireBalance("90", "50")
	b.requireClosed()
}

func TestRefund_BeforeItsBetLeavesATombstoneThatTheBetFinds(t *testing.T) {
	t.Parallel()
	b := funded(t)
	early := b.must(b.play(walletcore.KindRefund, "b-1", "0"))[0]
	require.Equal(t, walletcore.MarkTombstone, early.Receipt.Mark)
	late := b.must(b.play(walletcore.KindBet, "b-1", "10"))[0]
	require.Equal(t, walletcore.MarkVoid, late.Receipt.Mark)
	again := b.must(b.play(walletcore.KindBet, "b-1", "10"), b.play(walletcore.KindRefund, "b-1", "10"))
	require.True(t, again[0].Replayed)
	require.Equal(t, late.Receipt, again[0].Receipt)
	require.Equal(t, early.Receipt, again[1].Receipt)
	b.requireBalance("100", "50")
	b.requireClosed()
}

func TestWin_IsDividedAsTheBetsThatItResolves(t *testing.T) {
	t.Parallel()
	b := funded(t)
	b.must(
		b.play(walletcore.KindBet, "b-1", "100"),                                             // all real
		b.play(walletcore.KindBet, "b-2", "25"),                                              // all bonus
		b.play(walletcore.KindBet, "b-3", "5", func(m *ledger.Movement) { m.RoundID = "x" }), // another round
	)
	b.requireBalance("0", "20")
	b.must(b.play(walletcore.KindWin, "w-1", "10")) // 4:1 over the round
	b.requireBalance("8", "22")
	b.must(b.play(walletcore.KindWin, "w-2", "10", func(m *ledger.Movement) { m.Bets = []string{"b-2"} }))
	b.requireBalance("8", "32")
	b.must(b.play(walletcore.KindRefund, "b-1", "0", func(m *ledger.Movement) { m.Rules.RefundAfterWin = true }))
	b.must(b.play(walletcore.KindWin, "w-3", "10")) // only the bonus bet is left
	b.requireBalance("108", "42")
	b.requireClosed()
}

func TestWin_WithoutABetGoesWhereTheRulesSay(t *testing.T) {
	t.Parallel()
	b := funded(t)
	alone := func(to ledger.WinWithoutBet) func(*ledger.Movement) {
		return func(m *ledger.Movement) { m.RoundID, m.Rules.WinWithoutBet = "none", to }
	}
	b.must(b.play(walletcore.KindWin, "w-1", "1", alone("")), b.play(walletcore.KindWin, "w-2", "2", alone(ledger.WinToBonus)))
	b.requireBalance("101", "52")
	b.mustRefuse(walletcore.RefusedNoBet, b.play(walletcore.KindWin, "w-3", "4", alone(ledger.WinRefused)))
	b.must(b.play(walletcore.KindWin, "w-3", "0", alone(ledger.WinRefused)))
	b.requireClosed()
}

func TestRefund_AfterTheWinIsRefusedUnlessAllowed(t *testing.T) {
	t.Parallel()
	b := funded(t)
	b.must(b.play(walletcore.KindBet, "b-1", "10"), b.play(walletcore.KindWin, "w-1", "0"))
	b.mustRefuse(walletcore.RefusedSettled, b.play(walletcore.KindRefund, "b-1", "0"))
	b.must(b.play(walletcore.KindWinReversal, "w-1", "0"), b.play(walletcore.KindRefund, "b-1", "0"))
	b.requireBalance("100", "50")
	b.requireClosed()
}

func TestWinReversal_TakesTheWinsOwnSplitOrMakesADebt(t *testing.T) {
	t.Parallel()
	b := funded(t)
	b.must(b.play(walletcore.KindBet, "b-1", "125"), b.play(walletcore.KindWin, "w-1", "50")) // 40 real, 10 bonus
	b.requireBalance("40", "35")
	b.must(b.play(walletcore.KindBet, "b-2", "70", func(m *ledger.Movement) { m.RoundID = "x" }))
	b.requireBalance("0", "5")
	reversal := b.play(walletcore.KindWinReversal, "w-1", "0")
	b.mustRefuse(walletcore.RefusedNoFunds, reversal)
	reversal.Rules.MayDebt = true
	b.must(reversal, reversal)
	b.requireBalance("-45", "0")

	b.mustRefuse(walletcore.RefusedDebt, b.play(walletcore.KindBet, "b-3", "1"))
	b.mustRefuse(walletcore.RefusedDebt, b.play(walletcore.KindWithdrawal, "q-1", "1"))
	b.must(b.play(walletcore.KindBonusGrant, "g-2", "9"), b.play(walletcore.KindDeposit, "d-2", "20"))
	b.requireBalance("-25", "9")
	require.Equal(t, 25, b.count(`select debt_limit::int from gaming.wallets`), "a credit to real lowers the debt, bonus does not")
	b.must(b.play(walletcore.KindDeposit, "d-3", "30"))
	require.Zero(t, b.count(`select debt_limit::int from gaming.wallets`))
	b.requireClosed()
}

func TestWinReversal_BeforeItsWinVoidsIt(t *testing.T) {
	t.Parallel()
	b := funded(t)
	posted := b.must(b.play(walletcore.KindWinReversal, "w-1", "0"), b.play(walletcore.KindWin, "w-1", "10"))
	require.Equal(t, walletcore.MarkTombstone, posted[0].Receipt.Mark)
	require.Equal(t, walletcore.MarkVoid, posted[1].Receipt.Mark)
	b.requireBalance("100", "50")
	b.requireClosed()
}

func TestWithdrawal_IsDebitedOnceGivenBackOnceAndClosedAfterwards(t *testing.T) {
	t.Parallel()
	b := funded(t)
	b.must(b.play(walletcore.KindWithdrawal, "q-1", "60"), b.play(walletcore.KindWithdrawal, "q-1", "60"))
	b.requireBalance("40", "50")
	b.mustRefuse(walletcore.RefusedNoFunds, b.play(walletcore.KindWithdrawal, "q-2", "41"))
	back := b.play(walletcore.KindWithdrawalReversal, "q-1", "0")
	b.must(back, back)
	b.requireBalance("100", "50")

	early := b.must(b.play(walletcore.KindWithdrawalReversal, "q-3", "0"), b.play(walletcore.KindWithdrawal, "q-3", "5"))
	require.Equal(t, walletcore.MarkVoid, early[1].Receipt.Mark, "given back before it was debited: closed")
	other := b.play(walletcore.KindWithdrawal, "q-1", "60")
	other.Wallet.User = "someone else"
	outcomes, err := b.post(other)
	require.NoError(t, err)
	var conflict *walletcore.ConflictError
	require.ErrorAs(t, outcomes[0].Err, &conflict)
	require.Equal(t, "user", conflict.Field)
	b.requireBalance("100", "50")
	b.requireClosed()
}

func TestBonus_ForfeitAndConversionMoveOnlyWhatIsThere(t *testing.T) {
	t.Parallel()
	b := funded(t)
	b.must(b.play(walletcore.KindBonusConversion, "c-1", "20"), b.play(walletcore.KindBonusForfeit, "f-1", "5"))
	b.requireBalance("120", "25")
	b.mustRefuse(walletcore.RefusedNoFunds, b.play(walletcore.KindBonusConversion, "c-2", "25.00000001"))
	b.requireClosed()
}

func TestPost_ARequestStandsWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	b := funded(t)
	b.must(b.play(walletcore.KindBet, "a-1", "1"))
	results, err := b.ledger.Post(t.Context(), []ledger.Request{
		{b.play(walletcore.KindBet, "a-1", "1"), b.play(walletcore.KindBet, "a-2", "0.50")},
		{b.play(walletcore.KindBet, "a-3", "10"), b.play(walletcore.KindWin, "w-3", "5"), b.play(walletcore.KindBet, "a-4", "999")},
		{b.play(walletcore.KindBet, "a-5", "3"), b.play(walletcore.KindWin, "w-5", "6", func(m *ledger.Movement) { m.Bets = []string{"a-5"} })},
	})
	require.NoError(t, err)
	require.NoError(t, results[0].Err())
	require.True(t, results[0].Outcomes[0].Posted.Replayed)
	require.False(t, results[0].Outcomes[1].Posted.Replayed)
	require.Equal(t, "98.50000000", results[0].Balance.Real.String())
	var refused *walletcore.RefusedError
	require.ErrorAs(t, results[1].Err(), &refused)
	require.ErrorIs(t, results[1].Outcomes[0].Err, ledger.ErrNotPosted)
	require.ErrorIs(t, results[1].Outcomes[1].Err, ledger.ErrNotPosted)
	require.Equal(t, "98.50000000", results[1].Balance.Real.String())
	require.NoError(t, results[2].Err())
	b.requireBalance("101.50", "50")
	b.requireClosed()
}

func TestPost_IDsOfAProviderMayBeGlobal(t *testing.T) {
	t.Parallel()
	b := funded(t)
	bet := b.play(walletcore.KindBet, "b-1", "10", func(m *ledger.Movement) { m.Rules.GlobalIDs = true })
	b.must(bet)
	bet.Wallet.User = "someone else"
	outcomes, err := b.post(bet)
	require.NoError(t, err)
	var conflict *walletcore.ConflictError
	require.ErrorAs(t, outcomes[0].Err, &conflict)
	require.Equal(t, "user", conflict.Field)
	b.requireClosed()
}

// A provider's ids were global once and are no more: somebody else's receipt
// says nothing about a new player's win.
func TestPost_AnotherPlayersReceiptDoesNotStopAMovementWhoseIDsAreItsWallets(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.must(b.play(walletcore.KindWin, "w-1", "10", func(m *ledger.Movement) { m.Rules.GlobalIDs = true }))
	posted := b.must(b.play(walletcore.KindWin, "w-1", "7", func(m *ledger.Movement) { m.Wallet.User = "someone new" }))
	require.Equal(t, "7.00000000", posted[0].Receipt.RealAfter.String())
	b.requireBalance("10", "0")
	b.requireClosed()
}

// A rollback that does not say what of undoes a bet or a win: that the bet is
// another player's refuses both, and leaves no empty wallet.
func TestPost_ARollbackOfAnotherPlayersBetLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	b := funded(t)
	global := func(m *ledger.Movement) { m.Rules.GlobalIDs = true }
	stranger := func(m *ledger.Movement) { global(m); m.Wallet.User = "someone new" }
	b.must(b.play(walletcore.KindBet, "b-1", "1", global))
	results, err := b.ledger.Post(t.Context(), []ledger.Request{{
		b.play(walletcore.KindRefund, "b-1", "0", stranger), b.play(walletcore.KindWinReversal, "b-1", "0", stranger),
	}})
	require.NoError(t, err)
	var conflict *walletcore.ConflictError
	require.ErrorAs(t, results[0].Err(), &conflict)
	require.Equal(t, 1, b.count(`select count(*) from gaming.wallets`))
	b.requireClosed()
}

func TestFreeze_StopsWhatGoesOutAndLetsInWhatIsThePlayers(t *testing.T) {
	t.Parallel()
	b := funded(t)
	b.must(b.play(walletcore.KindBet, "b-1", "10"))
	admin := b.db.Pool(t, wallettest.Admin)
	wallet := b.request("", "1").Wallet.ID()
	for _, freeze := range []string{
		`select gaming.freeze_wallet($1, $2, 'chargeback of d-1')`,
		`select gaming.freeze_brand('acme', $2, 'licence suspended') from (select $1::uuid) as unused`,
	} {
		_, err := admin.Exec(t.Context(), freeze, wallet, true)
		require.NoError(t, err)
		b.mustRefuse(walletcore.RefusedFrozen, b.play(walletcore.KindBet, "b-2", "1"))
		b.mustRefuse(walletcore.RefusedFrozen, b.play(walletcore.KindWithdrawal, "q-1", "1"))
		_, err = admin.Exec(t.Context(), freeze, wallet, false)
		require.NoError(t, err)
	}
	_, err := admin.Exec(t.Context(), `select gaming.freeze_wallet($1, true, 'again')`, wallet)
	require.NoError(t, err)
	b.must(b.play(walletcore.KindWin, "w-1", "5"), b.play(walletcore.KindDeposit, "d-2", "1"))
	require.True(t, b.must(b.play(walletcore.KindBet, "b-1", "10"))[0].Replayed, "an old bet still gets its receipt")
	require.Equal(t, 5, b.count(`select count(*) from gaming.freezes where actor = session_user or actor <> ''`))
	b.requireClosed()
}
