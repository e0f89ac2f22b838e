package withdrawal_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/inbox"
	"github.com/walletctl/walletctl/walletcore/withdrawal"
)

func TestCreate_FiftyAtOnceMakeOne(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	n := request("20")
	made, isNew, errs := make([]withdrawal.Withdrawal, 50), make([]bool, 50), make([]error, 50)
	var all sync.WaitGroup
	for i := range made {
		all.Go(func() { made[i], isNew[i], errs[i] = b.Create(t.Context(), n) })
	}
	all.Wait()
	created := 0
	for i := range made {
		require.NoError(t, errs[i])
		require.Equal(t, made[0].ID, made[i].ID)
		if isNew[i] {
			created++
		}
	}
	require.Equal(t, 1, created)
	b.waitDebited(made[0].ID)
	require.Equal(t, 1, b.count(`casino.river_job where kind = 'withdrawal_debit'`))
	require.Equal(t, "80.00000000", b.balance())
	b.requireWhole()
}

func TestCreate_TheSameKeyWithOtherContentNamesTheField(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	n := request("20")
	w, _, err := b.Create(t.Context(), n)
	require.NoError(t, err)
	for field, change := range map[string]func(*withdrawal.New){
		"user":        func(n *withdrawal.New) { n.User = "u-2" },
		"currency":    func(n *withdrawal.New) { n.Currency = "USD" },
		"amount":      func(n *withdrawal.New) { n.Amount = walletcore.MustParseMoney("20.01") },
		"gateway":     func(n *withdrawal.New) { n.Gateway = "pix" },
		"account":     func(n *withdrawal.New) { n.Account = "north-other" },
		"destination": func(n *withdrawal.New) { n.Destination = "token-2" },
	} {
		other := n
		change(&other)
		var conflict *withdrawal.ConflictError
		_, _, err := b.Create(t.Context(), other)
		require.ErrorAs(t, err, &conflict, field)
		require.Equal(t, field, conflict.Field)
		require.Equal(t, w.ID, conflict.WithdrawalID)
	}
}

func TestCreate_WhatCouldNeverBeDebitedIsRefusedByField(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for field, change := range map[string]func(*withdrawal.New){
		"brand":           func(n *withdrawal.New) { n.Brand = "" },
		"user":            func(n *withdrawal.New) { n.User = " u" },
		"currency":        func(n *withdrawal.New) { n.Currency = "eur" },
		"amount":          func(n *withdrawal.New) { n.Amount = walletcore.MustParseMoney("0.001") },
		"gateway":         func(n *withdrawal.New) { n.Gateway = "" },
		"destination":     func(n *withdrawal.New) { n.Destination = "a\x00b" },
		"idempotency_key": func(n *withdrawal.New) { n.IdempotencyKey = "" },
		"correlation_id":  func(n *withdrawal.New) { n.CorrelationID = "" },
	} {
		n := request("20")
		change(&n)
		var bad *walletcore.FieldError
		_, _, err := b.Create(t.Context(), n)
		require.ErrorAs(t, err, &bad, field)
		require.Contains(t, bad.Field, field)
	}
	require.Zero(t, b.count("casino.withdrawals"))
	require.Zero(t, b.count("casino.river_job"))
}

func TestApply_AMessageAboutNoWithdrawalOpensOneCase(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ghost := withdrawal.Withdrawal{
		ID: "wd_404", Brand: "north", Gateway: "generic", Account: "north-main", Currency: "EUR", Amount: walletcore.MustParseMoney("5"),
	}
	for range 2 {
		require.Equal(t, withdrawal.CaseUnknownWithdrawal, b.tell(outcome(&ghost, walletcore.PaymentPaid)).Case)
	}
	require.Equal(t, inbox.Skipped, b.tell(outcome(&ghost, walletcore.PaymentPending)).Result)
	require.Equal(t, 1, b.count(`casino.cases`))
	require.Equal(t, 3, b.count(`casino.gateway_messages where withdrawal_id = 'wd_404'`))
}

func TestList_PagesNewestFirstWithinAFilter(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	var ids []string
	for range 3 {
		ids = append(ids, b.create("1").ID)
	}
	page, err := b.List(t.Context(), withdrawal.Filter{Brand: "north", Status: withdrawal.Requested, Limit: 2})
	require.NoError(t, err)
	require.Len(t, page, 2)
	require.Equal(t, ids[2], page[0].ID)
	rest, err := b.List(t.Context(), withdrawal.Filter{After: page[1].ID, Since: time.Now().Add(-time.Hour)})
	require.NoError(t, err)
	require.Len(t, rest, 1)
	require.Equal(t, ids[0], rest[0].ID)
	_, err = b.List(t.Context(), withdrawal.Filter{Status: "lost"})
	require.EqualError(t, err, "status is not one of requested, debited, paid, rejected, reversed")
	_, err = b.Get(t.Context(), "south", ids[0])
	require.ErrorIs(t, err, withdrawal.ErrNotFound, "another brand's")
}
