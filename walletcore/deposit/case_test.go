package deposit_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/casework"
	"github.com/walletctl/walletctl/walletcore/deposit"
	"github.com/walletctl/walletctl/walletcore/inbox"
)

func TestApply_WhatDoesNotFitOpensACaseAndMovesNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for kind, change := range map[casework.Kind]func(*walletcore.Notification){
		deposit.CaseAmountMismatch:   func(n *walletcore.Notification) { n.Amount = walletcore.MustParseMoney("50.00000001") },
		deposit.CaseCurrencyMismatch: func(n *walletcore.Notification) { n.Currency = "USD" },
		deposit.CaseBrandMismatch:    func(n *walletcore.Notification) { n.Brand = "south" },
		deposit.CaseGatewayMismatch:  func(n *walletcore.Notification) { n.Account = "north-other" },
		deposit.CasePaymentUnnamed:   func(n *walletcore.Notification) { n.PaymentID = "" },
	} {
		d := b.create(t)
		for range 2 { // repeated for days, it is still one case
			n := message(&d, walletcore.PaymentConfirmed)
			change(&n)
			o := b.apply(t, n)
			require.Equal(t, inbox.CaseOpened, o.Result, kind)
			require.Equal(t, kind, o.Case)
		}
		require.Equal(t, deposit.Pending, b.get(t, d.ID).Status, kind)
		require.Equal(t, []string{string(kind)}, b.cases(t, d.ID))
	}
	require.Zero(t, b.count(t, "payments"))
	require.Zero(t, b.count(t, "river_job"))
	require.Zero(t, b.count(t, "effects"))
}

func TestApply_HonestMessageAfterAMismatchIsApplied(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.create(t)
	n := message(&d, walletcore.PaymentConfirmed)
	n.Amount = walletcore.MustParseMoney("49.99")
	b.apply(t, n)
	require.Equal(t, inbox.Applied, b.apply(t, message(&d, walletcore.PaymentConfirmed)).Result)
}

func TestApply_AnotherBrandsAccountFailsNoDeposit(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.create(t)
	n := message(&d, walletcore.PaymentFailed)
	n.Brand = "south"
	require.Equal(t, deposit.CaseBrandMismatch, b.apply(t, n).Case)
	require.Equal(t, deposit.Pending, b.get(t, d.ID).Status)
}

func TestApply_PaymentPaysOneDeposit(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	deposits := []deposit.Deposit{b.create(t), b.create(t)}
	var wg sync.WaitGroup
	outcomes, errs := make([]inbox.Outcome, 2), make([]error, 2)
	for i := range deposits {
		n := message(&deposits[i], walletcore.PaymentConfirmed)
		n.PaymentID = "pay-shared"
		wg.Go(func() { outcomes[i], errs[i] = b.Apply(context.Background(), n) })
	}
	wg.Wait()
	require.NoError(t, errs[0])
	require.NoError(t, errs[1])
	require.ElementsMatch(t, []inbox.Result{inbox.Applied, inbox.CaseOpened},
		[]inbox.Result{outcomes[0].Result, outcomes[1].Result})
	loser := 0
	if outcomes[0].Result == inbox.Applied {
		loser = 1
	}
	require.Equal(t, []string{"payment_reused"}, b.cases(t, deposits[loser].ID))
	require.Equal(t, deposit.Pending, b.get(t, deposits[loser].ID).Status)
	require.Equal(t, 1, b.count(t, "cases where detail->>'other_deposit' = $1", deposits[1-loser].ID))
	require.Equal(t, 1, b.count(t, "river_job where kind = 'deposit_credit'"))
}

func TestApply_SameGatewayIDInAnotherAccountIsAnotherPayment(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, account := range []string{"north-main", "north-other"} {
		n := request()
		n.Account = account
		d, _, err := b.Create(context.Background(), n)
		require.NoError(t, err)
		m := message(&d, walletcore.PaymentConfirmed)
		m.PaymentID = "1001"
		require.Equal(t, inbox.Applied, b.apply(t, m).Result)
	}
}

func TestApply_SecondPaymentOfADepositOpensACase(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.confirmed(t)
	n := message(&d, walletcore.PaymentConfirmed)
	n.PaymentID = "pay-second"
	require.Equal(t, deposit.CaseSecondPayment, b.apply(t, n).Case)
	require.Equal(t, []string{"second_payment"}, b.cases(t, d.ID))
	require.Equal(t, 1, b.count(t, "payments"))
	require.Equal(t, 1, b.count(t, "river_job where kind = 'deposit_credit'"))
}

func TestApply_ChargebackAfterTheCreditOpensACase(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	start(t, b.Service)
	d := b.confirmed(t)
	credited := b.waitFor(t, d.ID, deposit.Credited)
	n := message(&d, walletcore.PaymentChargeback)
	n.DepositID = "" // gateways often name the payment only
	o := b.apply(t, n)
	require.Equal(t, deposit.CaseChargeback, o.Case)
	require.Equal(t, d.ID, o.SubjectID)
	got := b.get(t, d.ID)
	require.Equal(t, deposit.Credited, got.Status)
	require.NotNil(t, got.ChargedBackAt)
	require.Equal(t, credited.Receipt, got.Receipt)
	require.Equal(t, []string{"chargeback"}, b.cases(t, d.ID))
}

func TestApply_ConfirmationAfterAChargebackCreditsNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.create(t)
	b.apply(t, message(&d, walletcore.PaymentChargeback))
	require.Equal(t, deposit.CaseChargeback, b.apply(t, message(&d, walletcore.PaymentConfirmed)).Case)
	require.Equal(t, deposit.Pending, b.get(t, d.ID).Status)
	require.Equal(t, []string{"chargeback"}, b.cases(t, d.ID))
}
