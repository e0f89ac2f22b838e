package ledger_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
)

func TestCreditDeposit_MovesMoneyAndReturnsItsReceipt(t *testing.T) {
	t.Parallel()
	b := newBench(t)

	first, err := b.credit("d-1", "50.00")
	require.NoError(t, err)
	require.False(t, first.Replayed)
	require.Equal(t, "0.00000000", first.Receipt.RealBefore.String())
	require.Equal(t, "50.00000000", first.Receipt.RealAfter.String())
	require.EqualValues(t, 1, first.Receipt.Seq)

	second, err := b.credit("d-2", "0.05")
	require.NoError(t, err)
	require.Equal(t, "50.05000000", second.Receipt.RealAfter.String())
	b.requireClosed()
}

func TestCreditDeposit_ReplayReturnsOriginalReceipt(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	first, err := b.credit("d-1", "50.00")
	require.NoError(t, err)
	_, err = b.credit("d-2", "1.00")
	require.NoError(t, err)

	again, err := b.credit("d-1", "50.0")
	require.NoError(t, err)
	require.True(t, again.Replayed)
	require.Equal(t, first.Receipt, again.Receipt)
	b.requireClosed()
}

func TestCreditDeposit_OtherContentIsAConflictThatNamesTheField(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	_, err := b.credit("d-1", "50.00")
	require.NoError(t, err)

	for field, change := range map[string]func(*walletcore.DepositCredit){
		"amount":   func(c *walletcore.DepositCredit) { c.Amount = walletcore.MustParseMoney("500") },
		"user":     func(c *walletcore.DepositCredit) { c.Wallet.User = "other" },
		"brand":    func(c *walletcore.DepositCredit) { c.Wallet.Brand = "other" },
		"currency": func(c *walletcore.DepositCredit) { c.Wallet.Currency = "USD" },
	} {
		credit := b.request("d-1", "50.00")
		change(&credit)
		_, err := b.ledger.CreditDeposit(t.Context(), credit)
		var conflict *walletcore.ConflictError
		require.ErrorAs(t, err, &conflict, field)
		require.Equal(t, field, conflict.Field)
	}
	require.Equal(t, 1, b.count(`select count(*) from gaming.entries where seq > 0`))
	require.Equal(t, 1, b.count(`select count(*) from gaming.wallets`), "a conflict opens no wallet")
	b.requireClosed()
}

func TestCreditDeposit_FiftyInParallelMoveMoneyOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	receipts := make([]walletcore.Posted, 50)
	var wg sync.WaitGroup
	for i := range receipts {
		wg.Go(func() {
			posted, err := b.credit("d-1", "50.00")
			if err != nil {
				t.Errorf("credit %d: %v", i, err)
			}
			receipts[i] = posted
		})
	}
	wg.Wait()
	first := 0
	for _, posted := range receipts {
		require.Equal(t, receipts[0].Receipt, posted.Receipt)
		if !posted.Replayed {
			first++
		}
	}
	require.Equal(t, 1, first)
	require.Equal(t, 1, b.count(`select count(*) from gaming.entries where kind = 'deposit'`))
	b.requireClosed()
}

func TestCreditDeposit_ManyWalletsInParallelStayClosed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	var wg sync.WaitGroup
	for worker := range 16 {
		wg.Go(func() {
			for i := range 20 {
				credit := b.request(fmt.Sprintf("d-%d-%d", worker, i), "1.00")
				credit.Wallet.User = fmt.Sprintf("user-%d", i%5)
				if _, err := b.ledger.CreditDeposit(context.Background(), credit); err != nil {
					t.Errorf("credit: %v", err)
				}
			}
		})
	}
	wg.Wait()
	require.Equal(t, 320, b.count(`select sum(real)::int from gaming.wallets`))
	b.requireClosed()
}

func TestCreditDeposit_BadInputIsRefusedAndLeavesNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for name, change := range map[string]func(*walletcore.DepositCredit){
		"empty id":        func(c *walletcore.DepositCredit) { c.DepositID = "" },
		"blank id":        func(c *walletcore.DepositCredit) { c.DepositID = "   " },
		"id with a NUL":   func(c *walletcore.DepositCredit) { c.DepositID = "a\x00b" },
		"padded id":       func(c *walletcore.DepositCredit) { c.DepositID = " d" },
		"long id":         func(c *walletcore.DepositCredit) { c.DepositID = fmt.Sprintf("%0256d", 1) },
		"bytes not UTF-8": func(c *walletcore.DepositCredit) { c.DepositID = "\xff" },
		"zero":            func(c *walletcore.DepositCredit) { c.Amount = walletcore.Money{} },
		"negative":        func(c *walletcore.DepositCredit) { c.Amount = walletcore.MustParseMoney("-25") },
		"too fine":        func(c *walletcore.DepositCredit) { c.Amount = walletcore.MustParseMoney("0.001") },
		"no user":         func(c *walletcore.DepositCredit) { c.Wallet.User = "" },
		"no time":         func(c *walletcore.DepositCredit) { c.OccurredAt = time.Time{} },
		"broken details":  func(c *walletcore.DepositCredit) { c.Details = []byte(`{"a":`) },
		"fine yen": func(c *walletcore.DepositCredit) {
			c.Wallet.Currency, c.Amount = "JPY", walletcore.MustParseMoney("10.5")
		},
	} {
		credit := b.request("d-1", "50.00")
		change(&credit)
		_, err := b.ledger.CreditDeposit(t.Context(), credit)
		var field *walletcore.FieldError
		require.ErrorAs(t, err, &field, name)
	}
	require.Zero(t, b.count(`select count(*) from gaming.wallets`))
	_, err := b.credit(fmt.Sprintf("%0255d", 1), "50.00")
	require.NoError(t, err, "an id of 255 bytes is accepted")
	b.requireClosed()
}

func TestCreditDeposit_OverflowIsARefusalThatDoesNotBurnTheID(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	_, err := b.credit("d-1", "9999999999.99")
	require.NoError(t, err)
	_, err = b.credit("d-2", "1.00")
	var refused *walletcore.RefusedError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, walletcore.RefusedOverflow, refused.Code)
	require.Zero(t, b.count(`select count(*) from gaming.receipts where external_id = 'd-2'`))
	b.requireClosed()
}

func TestPost_EachMovementOfABatchHasItsOwnOutcome(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	_, err := b.credit("old", "10.00")
	require.NoError(t, err)

	other := b.movement("new", "1.00")
	other.Wallet.User = "someone else"
	outcomes, err := b.post(
		b.movement("new", "1.00"),
		b.movement("old", "10.00"),
		b.movement("old", "11.00"),
		b.movement("", "1.00"),
		b.movement("new", "1.00"),
		other,
		b.movement("newer", "2.00"),
	)
	require.NoError(t, err)
	require.False(t, outcomes[0].Posted.Replayed)
	require.True(t, outcomes[1].Posted.Replayed)
	var conflict *walletcore.ConflictError
	require.ErrorAs(t, outcomes[2].Err, &conflict)
	var field *walletcore.FieldError
	require.ErrorAs(t, outcomes[3].Err, &field)
	require.True(t, outcomes[4].Posted.Replayed)
	require.Equal(t, outcomes[0].Posted.Receipt, outcomes[4].Posted.Receipt)
	require.ErrorAs(t, outcomes[5].Err, &conflict)
	require.Equal(t, "user", conflict.Field)
	require.Equal(t, "13.00000000", outcomes[6].Posted.Receipt.RealAfter.String())
	b.requireClosed()
}

func TestPost_DetailsAreKeptByteForByte(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	m := b.movement("d-1", "1.00")
	m.Details = []byte(`{ "b":1.0, "a" : "\u00E9\/" ,"b":2}`)
	_, err := b.post(m)
	require.NoError(t, err)
	var stored string
	require.NoError(t, b.owner.QueryRow(t.Context(), `select details::text from gaming.entries where seq = 1`).Scan(&stored))
	require.Equal(t, string(m.Details), stored)
	b.requireClosed()
}
