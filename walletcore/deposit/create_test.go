package deposit_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/deposit"
)

func TestCreate_ResendGetsTheSameDeposit(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := context.Background()
	n := request()
	first, created, err := b.Create(ctx, n)
	require.NoError(t, err)
	require.True(t, created)
	require.Equal(t, deposit.Pending, first.Status)
	require.Equal(t, n.Amount, first.Amount)
	require.Nil(t, first.Receipt)

	n.ExpiresAt = time.Now().Add(-time.Hour) // a resend may come when the time is up
	n.Amount = walletcore.MustParseMoney("50.0000")
	again, created, err := b.Create(ctx, n)
	require.NoError(t, err)
	require.False(t, created)
	require.Empty(t, cmp.Diff(first, again, cmp.AllowUnexported(walletcore.Money{})))
	require.Equal(t, []deposit.EventKind{deposit.EventCreated}, b.events(t, first.ID))
}

func TestCreate_ResendWithAnotherContentNamesTheField(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	base := request()
	first, _, err := b.Create(context.Background(), base)
	require.NoError(t, err)
	for field, change := range map[string]func(*deposit.New){
		"user":     func(n *deposit.New) { n.User = "u-2" },
		"currency": func(n *deposit.New) { n.Currency = "USD" },
		"amount":   func(n *deposit.New) { n.Amount = walletcore.MustParseMoney("500") },
		"gateway":  func(n *deposit.New) { n.Gateway = "stripe" },
		"account":  func(n *deposit.New) { n.Account = "north-other" },
	} {
		n := base
		change(&n)
		_, _, err := b.Create(context.Background(), n)
		var conflict *deposit.ConflictError
		require.ErrorAs(t, err, &conflict, field)
		require.Equal(t, field, conflict.Field)
		require.Equal(t, first.ID, conflict.DepositID)
	}
	require.Equal(t, 1, b.count(t, "deposits"))
}

func TestCreate_KeyBelongsToItsBrand(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	n := request()
	north, _, err := b.Create(context.Background(), n)
	require.NoError(t, err)
	n.Brand = "south"
	south, created, err := b.Create(context.Background(), n)
	require.NoError(t, err)
	require.True(t, created)
	require.NotEqual(t, north.ID, south.ID)
	_, err = b.Get(context.Background(), "south", north.ID)
	require.ErrorIs(t, err, deposit.ErrNotFound)
}

func TestCreate_TwentyAtOnceMakeOne(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	n := request()
	var wg sync.WaitGroup
	ids, news := make([]string, 20), make([]bool, 20)
	for i := range ids {
		wg.Go(func() {
			d, created, err := b.Create(context.Background(), n)
			if err == nil {
				ids[i], news[i] = d.ID, created
			}
		})
	}
	wg.Wait()
	created := 0
	for i := range ids {
		require.Equal(t, ids[0], ids[i])
		if news[i] {
			created++
		}
	}
	require.NotEmpty(t, ids[0])
	require.Equal(t, 1, created)
	require.Equal(t, 1, b.count(t, "deposits"))
	require.Equal(t, 1, b.count(t, "deposit_events"))
}

func TestCreate_BadInputIsRefusedByField(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for field, change := range map[string]func(*deposit.New){
		"brand":           func(n *deposit.New) { n.Brand = "" },
		"user":            func(n *deposit.New) { n.User = "u\x00" },
		"currency":        func(n *deposit.New) { n.Currency = "eur" },
		"amount":          func(n *deposit.New) { n.Amount = walletcore.MustParseMoney("0.001") },
		"gateway":         func(n *deposit.New) { n.Gateway = strings.Repeat("g", 65) },
		"account":         func(n *deposit.New) { n.Account = " x" },
		"idempotency_key": func(n *deposit.New) { n.IdempotencyKey = "  " },
		"expires_at":      func(n *deposit.New) { n.ExpiresAt = time.Now().Add(-time.Second) },
	} {
		n := request()
		change(&n)
		_, _, err := b.Create(context.Background(), n)
		var bad *walletcore.FieldError
		require.ErrorAs(t, err, &bad, field)
		require.Equal(t, field, bad.Field)
	}
	require.Zero(t, b.count(t, "deposits"))
}
