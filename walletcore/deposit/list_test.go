package deposit_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/deposit"
	"github.com/walletctl/walletctl/walletcore/pgtx"
)

func ids(page []deposit.Deposit) []string {
	list := []string{}
	for _, d := range page {
		list = append(list, d.ID)
	}
	return list
}

func TestList_PagesNewestFirstWithoutGapOrRepeat(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	var want []string
	for range 7 {
		want = append([]string{b.create(t).ID}, want...)
	}
	var got []string
	f := deposit.Filter{Limit: 3}
	for {
		page, err := b.List(context.Background(), f)
		require.NoError(t, err)
		if len(page) == 0 {
			break
		}
		got = append(got, ids(page)...)
		f.After = page[len(page)-1].ID
	}
	require.Equal(t, want, got)
}

func TestList_FiltersByEachField(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := context.Background()
	other := request()
	other.Brand, other.User, other.Gateway = "south", "u-2", "stripe"
	o, _, err := b.Create(ctx, other)
	require.NoError(t, err)
	d := b.create(t)
	b.apply(t, message(&d, walletcore.PaymentFailed))
	hourAgo, inAnHour := time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	for name, c := range map[string]struct {
		filter deposit.Filter
		want   []string
	}{
		"all":           {deposit.Filter{}, []string{d.ID, o.ID}},
		"brand":         {deposit.Filter{Brand: "south"}, []string{o.ID}},
		"user":          {deposit.Filter{Brand: "south", User: "u-2"}, []string{o.ID}},
		"another brand": {deposit.Filter{Brand: "north", User: "u-2"}, []string{}},
		"status":        {deposit.Filter{Status: deposit.Failed}, []string{d.ID}},
		"gateway":       {deposit.Filter{Gateway: "stripe"}, []string{o.ID}},
		"since":         {deposit.Filter{Since: hourAgo}, []string{d.ID, o.ID}},
		"since later":   {deposit.Filter{Since: inAnHour}, []string{}},
		"until":         {deposit.Filter{Until: hourAgo}, []string{}},
	} {
		page, err := b.List(ctx, c.filter)
		require.NoError(t, err, name)
		require.Equal(t, c.want, ids(page), name)
	}
	for _, bad := range []deposit.Filter{{Status: "paid"}, {Limit: -1}, {Limit: pgtx.MaxPage + 1}, {User: "u-1"}} {
		var field *walletcore.FieldError
		_, err := b.List(ctx, bad)
		require.ErrorAs(t, err, &field)
	}
}
