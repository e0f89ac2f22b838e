package replay_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/replay"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/deposit"
	"github.com/walletctl/walletctl/walletcore/job"
	"github.com/walletctl/walletctl/walletcore/ledger"
	"github.com/walletctl/walletctl/walletcore/wallettest"
	"github.com/walletctl/walletctl/walletcore/withdrawal"
)

var errDown = errors.New("gaming does not answer")

// player is the wallet of most tests.
var player = walletcore.WalletKey{Brand: "north", User: "u-1", Currency: "EUR"}

// bench is casino's services on a database of their own, with the real ledger
// behind a line that can be cut.
type bench struct {
	t           *testing.T
	db          *wallettest.Database
	admin       *pgxpool.Pool
	queue       *job.Queue
	deposits    *deposit.Service
	withdrawals *withdrawal.Service
	line        *line
	ana         *replay.Desk // a person on call
}

func newBench(t *testing.T) *bench {
	t.Helper()
	db := wallettest.NewDatabase(t)
	gaming, err := ledger.New(ledger.Options{Pool: db.Pool(t, wallettest.Gaming), Keys: wallettest.Keys(t)})
	require.NoError(t, err)
	b := &bench{t: t, db: db, admin: db.Pool(t, wallettest.Admin), line: &line{Ledger: gaming}}
	pool := db.Pool(t, wallettest.Casino)
	b.queue, err = job.New(job.Options{
		Pool: pool, RetryBase: time.Millisecond, PollInterval: 20 * time.Millisecond, SweepInterval: -1,
	})
	require.NoError(t, err)
	b.deposits, err = deposit.NewService(deposit.Options{
		Queue: b.queue, Pool: pool, Wallet: b.line, Effects: b.line, EffectNames: []string{"affiliates", "promotions"},
	})
	require.NoError(t, err)
	b.withdrawals, err = withdrawal.NewService(withdrawal.Options{Queue: b.queue, Pool: pool, Wallet: b.line, Payouts: b.line})
	require.NoError(t, err)
	b.ana = b.desk("ana", "oncall")
	return b
}

// desk is that of one more person.
func (b *bench) desk(name string, memberOf ...string) *replay.Desk {
	b.t.Helper()
	pool := b.db.PoolOf(b.t, wallettest.NewPerson(b.t, name, memberOf...))
	return &replay.Desk{Casino: pool, Gaming: pool}
}

// start has jobs worked until the test ends.
func (b *bench) start() {
	b.t.Helper()
	require.NoError(b.t, b.queue.Start(context.Background()))
	b.t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		require.NoError(b.t, b.queue.Stop(ctx))
	})
}

var counter atomic.Int64

func unique(prefix string) string { return fmt.Sprintf("%s-%d", prefix, counter.Add(1)) }

// paid makes a deposit and confirms it.
func (b *bench) paid(amount string) replay.Subject {
	b.t.Helper()
	d, _, err := b.deposits.Create(b.t.Context(), deposit.New{
		Brand: player.Brand, User: player.User, Currency: player.Currency, Amount: walletcore.MustParseMoney(amount),
		Gateway: "generic", Account: "north-main", IdempotencyKey: unique("key"), ExpiresAt: time.Now().Add(time.Hour),
	})
	require.NoError(b.t, err)
	b.tell(&d, walletcore.PaymentConfirmed)
	return replay.Subject{Type: replay.Deposit, ID: d.ID}
}

// tell says what the gateway says about a deposit.
func (b *bench) tell(d *deposit.Deposit, status walletcore.PaymentStatus) {
	b.t.Helper()
	_, err := b.deposits.Apply(b.t.Context(), walletcore.Notification{
		MessageID: unique("msg"), Gateway: d.Gateway, Account: d.Account, Brand: d.Brand, Dialect: "generic",
		EventID: unique("evt"), EventType: "payment", DepositID: d.ID, PaymentID: "pay-" + d.ID,
		Status: status, Amount: d.Amount, Currency: d.Currency, OccurredAt: time.Now(), ReceivedAt: time.Now(),
		Body: []byte(`{"payer":"Jane Doe"}`),
	})
	require.NoError(b.t, err)
}

// stuck makes a deposit whose credit is exhausted. The line is cut.
func (b *bench) stuck(amount string) replay.Subject {
	b.t.Helper()
	b.line.cut.Store(true)
	s := b.paid(amount)
	b.waitCase(s, "credit_exhausted")
	return s
}

// withdraw asks for a withdrawal.
func (b *bench) withdraw(amount string) replay.Subject {
	b.t.Helper()
	w, _, err := b.withdrawals.Create(b.t.Context(), withdrawal.New{
		Brand: player.Brand, User: player.User, Currency: player.Currency, Amount: walletcore.MustParseMoney(amount),
		Gateway: "generic", Account: "north-main", Destination: "token-1",
		IdempotencyKey: unique("key"), CorrelationID: unique("corr"),
	})
	require.NoError(b.t, err)
	return replay.Subject{Type: replay.Withdrawal, ID: w.ID}
}

// outcome says what became of a withdrawal's payout.
func (b *bench) outcome(s replay.Subject, status walletcore.PaymentStatus) {
	b.t.Helper()
	w, err := b.withdrawals.Find(b.t.Context(), s.ID)
	require.NoError(b.t, err)
	_, err = b.withdrawals.Apply(b.t.Context(), walletcore.Notification{
		MessageID: unique("msg"), Gateway: w.Gateway, Account: w.Account, Brand: w.Brand, Dialect: "generic",
		EventID: unique("evt"), EventType: "payout", WithdrawalID: w.ID, PaymentID: "po-" + w.ID,
		Status: status, Amount: w.Amount, Currency: w.Currency, OccurredAt: time.Now(), ReceivedAt: time.Now(),
	})
	require.NoError(b.t, err)
}

// rich credits the player.
func (b *bench) rich(amount string) {
	b.t.Helper()
	_, err := b.line.Ledger.CreditDeposit(b.t.Context(), walletcore.DepositCredit{
		DepositID: unique("d"), Wallet: player, Amount: walletcore.MustParseMoney(amount), OccurredAt: time.Now(),
	})
	require.NoError(b.t, err)
}

func (b *bench) waitStatus(s replay.Subject, status string) {
	b.t.Helper()
	b.wait(1, `casino.`+s.Type+`s where id = $1 and status::text = $2`, s.ID, status)
}

func (b *bench) waitCase(s replay.Subject, kind string) replay.Ref {
	b.t.Helper()
	b.wait(1, `casino.cases where subject_id = $1 and kind::text = $2 and closed_at is null`, s.ID, kind)
	cases, err := b.ana.Cases(b.t.Context(), replay.CaseFilter{Subject: s.ID, Kind: kind})
	require.NoError(b.t, err)
	require.Len(b.t, cases, 1)
	return cases[0].Ref
}

// wait returns when there are so many rows.
func (b *bench) wait(want int, from string, args ...any) {
	b.t.Helper()
	require.Eventually(b.t, func() bool { return b.count(from, args...) == want }, 30*time.Second, 10*time.Millisecond,
		"not %d of %s", want, from)
}

// quiet returns when no job is at work or about to be.
func (b *bench) quiet() {
	b.t.Helper()
	b.wait(0, `casino.river_job where state in ('available', 'running', 'retryable', 'scheduled')`)
}

func (b *bench) count(from string, args ...any) int {
	b.t.Helper()
	var n int
	require.NoError(b.t, b.admin.QueryRow(context.Background(), "select count(*) from "+from, args...).Scan(&n))
	return n
}

func (b *bench) exec(query string, args ...any) {
	b.t.Helper()
	_, err := b.admin.Exec(context.Background(), query, args...)
	require.NoError(b.t, err)
}

// balance of the player, as text; none where there is no wallet.
func (b *bench) balance() string {
	b.t.Helper()
	var real string
	require.NoError(b.t, b.admin.QueryRow(b.t.Context(),
		`select coalesce(max(real), 0)::numeric(18,8)::text from gaming.wallets where id = $1`, player.ID()).Scan(&real))
	return real
}

// replayed sends again and waits.
func (b *bench) replayed(d *replay.Desk, s replay.Subject) replay.Result {
	b.t.Helper()
	sent, err := d.Send(b.t.Context(), s, "the line is repaired")
	require.NoError(b.t, err)
	result, err := d.Wait(b.patience(), sent)
	require.NoError(b.t, err)
	return result
}

// patience bounds what a failing test waits for.
func (b *bench) patience() context.Context {
	ctx, cancel := context.WithTimeout(b.t.Context(), 30*time.Second)
	b.t.Cleanup(cancel)
	return ctx
}

// line leads to the ledger and to the broker, until it is cut.
type line struct {
	*ledger.Ledger
	cut     atomic.Bool
	deaf    atomic.Bool  // what is asked arrives, and its answer does not
	mute    atomic.Value // the name of the effect that cannot be published
	blocked atomic.Pointer[chan struct{}]
	payouts atomic.Int64
	effects atomic.Int64
}

func (l *line) pass(ctx context.Context) error {
	if gate := l.blocked.Load(); gate != nil {
		select {
		case <-*gate:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if l.cut.Load() {
		return errDown
	}
	return nil
}

func (l *line) heard() error {
	if l.deaf.Load() {
		return errDown
	}
	return nil
}

func (l *line) CreditDeposit(ctx context.Context, c walletcore.DepositCredit) (walletcore.Posted, error) {
	if err := l.pass(ctx); err != nil {
		return walletcore.Posted{}, err
	}
	posted, err := l.Ledger.CreditDeposit(ctx, c)
	return posted, errors.Join(err, l.heard())
}

func (l *line) DebitWithdrawal(ctx context.Context, o walletcore.WithdrawalOrder) (walletcore.Withdrawn, error) {
	if err := l.pass(ctx); err != nil {
		return walletcore.Withdrawn{}, err
	}
	answer, err := l.Ledger.DebitWithdrawal(ctx, o)
	return answer, errors.Join(err, l.heard())
}

func (l *line) ReverseWithdrawal(ctx context.Context, o walletcore.WithdrawalOrder) (walletcore.Withdrawn, error) {
	if err := l.pass(ctx); err != nil {
		return walletcore.Withdrawn{}, err
	}
	answer, err := l.Ledger.ReverseWithdrawal(ctx, o)
	return answer, errors.Join(err, l.heard())
}

func (l *line) PublishEffect(_ context.Context, e deposit.Effect) error {
	if l.mute.Load() == e.Name {
		return errDown
	}
	l.effects.Add(1)
	return nil
}

func (l *line) PublishPayout(ctx context.Context, _ withdrawal.Payout) error {
	if err := l.pass(ctx); err != nil {
		return err
	}
	l.payouts.Add(1)
	return nil
}
