package rpc_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
	"github.com/walletctl/walletctl/walletcore/rpc"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// shop is casino's client with the ledger behind it.
type shop struct {
	*rpc.Client
	requireClosed func()
}

// newShop has 100 in its wallet.
func newShop(t *testing.T) shop {
	t.Helper()
	host, db, keys := wallettest.NewBroker(t), wallettest.NewDatabase(t), wallettest.Keys(t)
	db.OpenBrand(t, "zeta")
	gaming, err := ledger.New(ledger.Options{Pool: db.Pool(t, wallettest.Gaming), Keys: keys})
	require.NoError(t, err)
	serve(t, host, gaming, rpc.ServerOptions{})
	casino := client(t, host.URL(t, wallettest.CasinoBroker), 0)
	_, err = casino.CreditDeposit(t.Context(), walletcore.DepositCredit{
		DepositID: "d-1", Wallet: order("", "1").Wallet, Amount: walletcore.MustParseMoney("100"), OccurredAt: time.Now(),
	})
	require.NoError(t, err)
	return shop{casino, func() { wallettest.RequireClosed(t, db.Pool(t, wallettest.Owner), keys) }}
}

func order(id, amount string) walletcore.WithdrawalOrder {
	return walletcore.WithdrawalOrder{
		WithdrawalID: id, Wallet: walletcore.WalletKey{Brand: "acme", User: "u-1", Currency: "EUR"},
		Amount: walletcore.MustParseMoney(amount), OccurredAt: time.Now(),
	}
}

func TestWithdrawal_AnAnswerTellsHowItStandsNow(t *testing.T) {
	t.Parallel()
	casino := newShop(t)
	debited, err := casino.DebitWithdrawal(t.Context(), order("w-1", "30"))
	require.NoError(t, err)
	require.Equal(t, walletcore.WithdrawalDebited, debited.State)
	require.False(t, debited.Replayed)
	require.Equal(t, "70.00000000", debited.Receipt.RealAfter.String())

	again, err := casino.DebitWithdrawal(t.Context(), order("w-1", "30"))
	require.NoError(t, err)
	require.True(t, again.Replayed)
	require.Equal(t, walletcore.WithdrawalDebited, again.State)
	require.Equal(t, debited.Receipt, again.Receipt)

	for _, replayed := range []bool{false, true} {
		back, err := casino.ReverseWithdrawal(t.Context(), order("w-1", "30"))
		require.NoError(t, err)
		require.Equal(t, replayed, back.Replayed)
		require.Equal(t, walletcore.WithdrawalReversed, back.State)
		require.Equal(t, "100.00000000", back.Receipt.RealAfter.String())
	}

	after, err := casino.DebitWithdrawal(t.Context(), order("w-1", "30"))
	require.NoError(t, err)
	require.Equal(t, debited.Receipt, after.Receipt, "the original receipt")
	require.Equal(t, walletcore.WithdrawalReversed, after.State, "and yet it can not be paid")
	casino.requireClosed()
}

func TestWithdrawal_OneThatWasReversedFirstIsClosed(t *testing.T) {
	t.Parallel()
	casino := newShop(t)
	for range 2 {
		back, err := casino.ReverseWithdrawal(t.Context(), order("w-1", "30"))
		require.NoError(t, err)
		require.Equal(t, walletcore.WithdrawalClosed, back.State)
	}
	for range 2 {
		late, err := casino.DebitWithdrawal(t.Context(), order("w-1", "30"))
		require.NoError(t, err)
		require.Equal(t, walletcore.WithdrawalClosed, late.State)
		require.Equal(t, "100.00000000", late.Receipt.RealAfter.String())
	}
	casino.requireClosed()
}

func TestWithdrawal_OtherContentIsAConflictThatNamesTheField(t *testing.T) {
	t.Parallel()
	casino := newShop(t)
	_, err := casino.DebitWithdrawal(t.Context(), order("w-1", "30"))
	require.NoError(t, err)
	for field, change := range map[string]func(*walletcore.WithdrawalOrder){
		"amount":   func(o *walletcore.WithdrawalOrder) { o.Amount = walletcore.MustParseMoney("30.01") },
		"user":     func(o *walletcore.WithdrawalOrder) { o.Wallet.User = "u-2" },
		"brand":    func(o *walletcore.WithdrawalOrder) { o.Wallet.Brand = "zeta" },
		"currency": func(o *walletcore.WithdrawalOrder) { o.Wallet.Currency = "USD" },
	} {
		o := order("w-1", "30")
		change(&o)
		var conflict *walletcore.ConflictError
		_, err := casino.DebitWithdrawal(t.Context(), o)
		require.ErrorAs(t, err, &conflict, field)
		require.Equal(t, field, conflict.Field)
		_, err = casino.ReverseWithdrawal(t.Context(), o)
		require.ErrorAs(t, err, &conflict, field)
		require.Equal(t, field, conflict.Field)
	}
	casino.requireClosed()
}

func TestBonus_IsGrantedConvertedAndForfeitedOnce(t *testing.T) {
	t.Parallel()
	casino := newShop(t)
	change := func(kind walletcore.Kind, id, amount string) (walletcore.Posted, error) {
		return casino.ChangeBonus(t.Context(), walletcore.BonusChange{
			Kind: kind, BonusID: id, Wallet: order("", "1").Wallet,
			Amount: walletcore.MustParseMoney(amount), OccurredAt: time.Now(),
		})
	}
	for _, step := range []struct {
		kind                walletcore.Kind
		amount, real, bonus string
	}{
		{walletcore.KindBonusGrant, "20", "100.00000000", "20.00000000"},
		{walletcore.KindBonusConversion, "15", "115.00000000", "5.00000000"},
		{walletcore.KindBonusForfeit, "5", "115.00000000", "0.00000000"},
	} {
		for _, replayed := range []bool{false, true} {
			posted, err := change(step.kind, "b-1", step.amount)
			require.NoError(t, err)
			require.Equal(t, replayed, posted.Replayed)
			require.Equal(t, step.real, posted.Receipt.RealAfter.String())
			require.Equal(t, step.bonus, posted.Receipt.BonusAfter.String())
		}
	}
	var refused *walletcore.RefusedError
	_, err := change(walletcore.KindBonusForfeit, "b-2", "1")
	require.ErrorAs(t, err, &refused)
	require.Equal(t, walletcore.RefusedNoFunds, refused.Code)
	var field *walletcore.FieldError
	_, err = change(walletcore.KindWin, "b-3", "1")
	require.ErrorAs(t, err, &field)
	casino.requireClosed()
}

func TestClient_ABrandThatIsNotLiveIsNamedAndTheSameCallSucceedsLater(t *testing.T) {
	t.Parallel()
	host, db, keys := wallettest.NewBroker(t), wallettest.NewClosedDatabase(t), wallettest.Keys(t)
	gaming, err := ledger.New(ledger.Options{Pool: db.Pool(t, wallettest.Gaming), Keys: keys})
	require.NoError(t, err)
	serve(t, host, gaming, rpc.ServerOptions{})
	casino := client(t, host.URL(t, wallettest.CasinoBroker), 0)
	_, debitErr := casino.DebitWithdrawal(t.Context(), order("w-1", "30"))
	_, reverseErr := casino.ReverseWithdrawal(t.Context(), order("w-1", "30"))
	deposit := credit(1)
	deposit.Wallet = order("", "1").Wallet
	_, creditErr := casino.CreditDeposit(t.Context(), deposit)
	for _, err := range []error{debitErr, reverseErr, creditErr} {
		var notLive *walletcore.NotLiveError
		require.ErrorAs(t, err, &notLive)
		require.Equal(t, &walletcore.NotLiveError{Brand: "acme", State: walletcore.BrandClosed}, notLive)
	}
	require.Zero(t, host.Depth(t, rpc.DeadLetterQueue))

	db.OpenBrand(t, "acme")
	_, err = casino.CreditDeposit(t.Context(), deposit)
	require.NoError(t, err)
	debited, err := casino.DebitWithdrawal(t.Context(), order("w-2", "0.01"))
	require.NoError(t, err)
	require.Equal(t, walletcore.WithdrawalDebited, debited.State)
	late, err := casino.DebitWithdrawal(t.Context(), order("w-1", "0.01"))
	require.NoError(t, err)
	require.Equal(t, walletcore.WithdrawalDebited, late.State, "the early reversal left no tombstone")
	wallettest.RequireClosed(t, db.Pool(t, wallettest.Owner), keys)
}
