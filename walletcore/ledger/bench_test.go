package ledger_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// bench is a ledger on a database of its own.
type bench struct {
	t      testing.TB
	db     *wallettest.Database
	ledger *ledger.Ledger
	owner  *pgxpool.Pool
	keys   *walletcore.Keyring
}

func newBench(t testing.TB) *bench {
	t.Helper()
	b := &bench{t: t, db: wallettest.NewDatabase(t), keys: wallettest.Keys(t)}
	b.owner = b.db.Pool(t, wallettest.Owner)
	b.ledger = b.newLedger(b.db.Pool(t, wallettest.Gaming))
	return b
}

func (b *bench) newLedger(pool *pgxpool.Pool) *ledger.Ledger {
	b.t.Helper()
	l, err := ledger.New(ledger.Options{Pool: pool, Keys: b.keys})
	require.NoError(b.t, err)
	return l
}

func (b *bench) request(id, amount string) walletcore.DepositCredit {
	return walletcore.DepositCredit{
		DepositID:  id,
		Wallet:     walletcore.WalletKey{Brand: "acme", User: "u-1", Currency: "EUR"},
		Amount:     walletcore.MustParseMoney(amount),
		OccurredAt: time.Date(2026, 11, 1, 12, 0, 0, 123456789, time.UTC),
	}
}

func (b *bench) credit(id, amount string) (walletcore.Posted, error) {
	return b.ledger.CreditDeposit(b.t.Context(), b.request(id, amount))
}

func (b *bench) movement(id, amount string) ledger.Movement {
	c := b.request(id, amount)
	return ledger.Movement{
		Wallet: c.Wallet, Kind: walletcore.KindDeposit, ExternalID: id, Amount: c.Amount,
		Actor: "casino", OccurredAt: c.OccurredAt,
	}
}

// post posts each movement as a request of its own.
func (b *bench) post(movements ...ledger.Movement) ([]ledger.Outcome, error) {
	b.t.Helper()
	requests := make([]ledger.Request, len(movements))
	for i := range movements {
		requests[i] = ledger.Request{movements[i]}
	}
	results, err := b.ledger.Post(b.t.Context(), requests)
	if err != nil {
		return nil, err
	}
	outcomes := make([]ledger.Outcome, len(results))
	for i := range results {
		outcomes[i] = results[i].Outcomes[0]
	}
	return outcomes, nil
}

func (b *bench) count(query string, args ...any) int {
	b.t.Helper()
	var n int
	require.NoError(b.t, b.owner.QueryRow(b.t.Context(), query, args...).Scan(&n))
	return n
}

// requireClosed asserts the invariants that hold at the end of every test.
func (b *bench) requireClosed() {
	b.t.Helper()
	wallettest.RequireClosed(b.t, b.owner, b.keys)
}

// openWallets gives birth to the wallets that the benchmarks spread over.
func (b *bench) openWallets(t testing.TB) {
	t.Helper()
	var group errgroup.Group
	group.SetLimit(16)
	for n := range benchWallets {
		group.Go(func() error {
			credit := b.request(fmt.Sprintf("open-%d", n), "1.00")
			credit.Wallet.User = fmt.Sprintf("user-%d", n)
			_, err := b.ledger.CreditDeposit(context.Background(), credit)
			return err
		})
	}
	require.NoError(t, group.Wait())
	_, err := b.owner.Exec(context.Background(), `vacuum analyze gaming.wallets, gaming.entries, gaming.receipts`)
	require.NoError(t, err)
}
