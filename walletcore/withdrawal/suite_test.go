package withdrawal_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/inbox"
	"github.com/walletctl/walletctl/walletcore/job"
	"github.com/walletctl/walletctl/walletcore/ledger"
	"github.com/walletctl/walletctl/walletcore/wallettest"
	"github.com/walletctl/walletctl/walletcore/withdrawal"
)

var (
	errLost  = errors.New("no reply came")
	errNever = errors.New("it never arrived")
)

// player is the wallet that withdrawals are taken from; 100 is in it.
var player = walletcore.WalletKey{Brand: "north", User: "u-1", Currency: "EUR"}

// bench is withdrawals on a database of their own, with the real ledger behind
// them.
type bench struct {
	*withdrawal.Service
	t      *testing.T
	db     *wallettest.Database
	pool   *pgxpool.Pool // as casino
	admin  *pgxpool.Pool
	ledger *ledger.Ledger
	wallet *wallet
	payer  *payer
	queue  *job.Queue
}

func newBench(t *testing.T) *bench {
	t.Helper()
	db := wallettest.NewDatabase(t)
	gaming, err := ledger.New(ledger.Options{Pool: db.Pool(t, wallettest.Gaming), Keys: wallettest.Keys(t)})
	require.NoError(t, err)
	b := &bench{
		t: t, db: db, pool: db.Pool(t, wallettest.Casino), admin: db.Pool(t, wallettest.Admin),
		ledger: gaming, wallet: &wallet{ledger: gaming}, payer: &payer{},
	}
	b.Service, b.queue = b.service()
	_, err = gaming.CreditDeposit(t.Context(), walletcore.DepositCredit{
		DepositID: "d-1", Wallet: player, Amount: walletcore.MustParseMoney("100"), OccurredAt: time.Now(),
	})
	require.NoError(t, err)
	return b
}

// service makes one more service on the same database. It is not started.
func (b *bench) service() (*withdrawal.Service, *job.Queue) {
	b.t.Helper()
	queue, err := job.New(job.Options{
		Pool: b.pool, RetryBase: time.Millisecond, PollInterval: 20 * time.Millisecond, SweepInterval: -1,
	})
	require.NoError(b.t, err)
	s, err := withdrawal.NewService(withdrawal.Options{Queue: queue, Pool: b.pool, Wallet: b.wallet, Payouts: b.payer})
	require.NoError(b.t, err)
	return s, queue
}

// start works jobs until the test ends.
func (b *bench) start() {
	b.t.Helper()
	require.NoError(b.t, b.queue.Start(context.Background()))
	b.t.Cleanup(b.stop)
}

func (b *bench) stop() {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	require.NoError(b.t, b.queue.Stop(ctx))
}

var counter atomic.Int64

func unique(prefix string) string { return fmt.Sprintf("%s-%d", prefix, counter.Add(1)) }

func request(amount string) withdrawal.New {
	return withdrawal.New{
		Brand: player.Brand, User: player.User, Currency: player.Currency, Amount: walletcore.MustParseMoney(amount),
		Gateway: "generic", Account: "north-main", Destination: "token-1",
		IdempotencyKey: unique("key"), CorrelationID: unique("corr"),
	}
}

func (b *bench) create(amount string) withdrawal.Withdrawal {
	b.t.Helper()
	w, created, err := b.Create(b.t.Context(), request(amount))
	require.NoError(b.t, err)
	require.True(b.t, created)
	return w
}

func (b *bench) get(id string) withdrawal.Withdrawal {
	b.t.Helper()
	w, err := b.Get(context.Background(), player.Brand, id)
	require.NoError(b.t, err)
	return w
}

func (b *bench) waitFor(id string, status withdrawal.Status) withdrawal.Withdrawal {
	b.t.Helper()
	require.Eventually(b.t, func() bool { return b.get(id).Status == status }, 30*time.Second, 10*time.Millisecond,
		"withdrawal does not become %s", status)
	return b.get(id)
}

// waitDebited returns when the payout was asked for.
func (b *bench) waitDebited(id string) {
	b.t.Helper()
	require.Eventually(b.t, func() bool { return b.get(id).PayoutRequestedAt != nil }, 30*time.Second, 10*time.Millisecond,
		"no payout is asked for")
}

func (b *bench) waitCase(id, kind string) {
	b.t.Helper()
	require.Eventually(b.t, func() bool {
		return b.count(`casino.cases where subject_id = $1 and kind::text = $2 and closed_at is null`, id, kind) == 1
	}, 30*time.Second, 10*time.Millisecond, "no case %s", kind)
}

// outcome is an honest message about w's payout.
func outcome(w *withdrawal.Withdrawal, status walletcore.PaymentStatus) walletcore.Notification {
	return walletcore.Notification{
		MessageID: unique("msg"), Gateway: w.Gateway, Account: w.Account, Brand: w.Brand, Dialect: "generic",
		EventID: unique("evt"), EventType: "payout." + string(status), WithdrawalID: w.ID, PaymentID: "po-" + w.ID,
		Status: status, Amount: w.Amount, Currency: w.Currency, OccurredAt: time.Now(), ReceivedAt: time.Now(),
	}
}

func (b *bench) tell(n walletcore.Notification) inbox.Outcome {
	b.t.Helper()
	o, err := b.Apply(b.t.Context(), n)
	require.NoError(b.t, err)
	return o
}

func (b *bench) count(from string, args ...any) int {
	b.t.Helper()
	var n int
	require.NoError(b.t, b.admin.QueryRow(context.Background(), "select count(*) from "+from, args...).Scan(&n))
	return n
}

func (b *bench) exec(query string, args ...any) {
	b.t.Helper()
	_, err := b.admin.Exec(b.t.Context(), query, args...)
	require.NoError(b.t, err)
}

// balance of the player.
func (b *bench) balance() string {
	b.t.Helper()
	var real string
	require.NoError(b.t, b.admin.QueryRow(b.t.Context(), `select real::text from gaming.wallets where id = $1`,
		player.ID()).Scan(&real))
	return real
}

// moved counts the entries of a kind that moved money under an id.
func (b *bench) moved(kind walletcore.Kind, id string) int {
	b.t.Helper()
	return b.count(`gaming.entries where kind::text = $1 and external_id = $2 and mark is null`, string(kind), id)
}
