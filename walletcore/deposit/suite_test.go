package deposit_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/deposit"
	"github.com/walletctl/walletctl/walletcore/inbox"
	"github.com/walletctl/walletctl/walletcore/job"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

var errGamingDown = errors.New("gaming does not answer")

// bench is what a test of deposits works with: a database of its own, as
// casino and as the superuser, and stand-ins for the two neighbours.
type bench struct {
	*Service
	db     *wallettest.Database
	pool   *pgxpool.Pool // as casino
	admin  *pgxpool.Pool
	wallet *wallet
	topic  *topic
}

// Service is a service with the queue that works its jobs.
type Service struct {
	*deposit.Service
	*job.Queue
}

// options are those of a service and of its queue.
type options struct {
	deposit.Options
	queue
}

// queue names what would be ambiguous.
type queue struct {
	RetryBase, JobTimeout, SweepInterval, StopTimeout, PollInterval time.Duration
	PollOnly                                                        bool
}

func (q queue) options(pool *pgxpool.Pool) job.Options {
	return job.Options{
		Pool: pool, RetryBase: q.RetryBase, JobTimeout: q.JobTimeout, SweepInterval: q.SweepInterval,
		StopTimeout: q.StopTimeout, PollInterval: q.PollInterval, PollOnly: q.PollOnly,
	}
}

func newBench(t *testing.T, change ...func(*options)) *bench {
	t.Helper()
	db := wallettest.NewDatabase(t)
	b := &bench{
		db: db, pool: db.Pool(t, wallettest.Casino), admin: db.Pool(t, wallettest.Admin),
		wallet: &wallet{}, topic: &topic{},
	}
	b.Service = b.service(t, change...)
	return b
}

// service makes one more service on the same database. It is not started.
func (b *bench) service(t *testing.T, change ...func(*options)) *Service {
	t.Helper()
	o := options{
		deposit.Options{Pool: b.pool, Wallet: b.wallet, Effects: b.topic},
		queue{RetryBase: time.Millisecond, PollInterval: 50 * time.Millisecond, SweepInterval: -1},
	}
	for _, c := range change {
		c(&o)
	}
	var err error
	o.Queue, err = job.New(o.options(b.pool))
	require.NoError(t, err)
	s, err := deposit.NewService(o.Options)
	require.NoError(t, err)
	return &Service{s, o.Queue}
}

func start(t *testing.T, s *Service) {
	t.Helper()
	require.NoError(t, s.Start(context.Background()))
	t.Cleanup(func() { stop(t, s) })
}

func stop(t *testing.T, s *Service) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	require.NoError(t, s.Stop(ctx))
}

var counter atomic.Int64

func unique(prefix string) string { return fmt.Sprintf("%s-%d", prefix, counter.Add(1)) }

func request() deposit.New {
	return deposit.New{
		Brand: "north", User: "u-1", Currency: "EUR", Amount: walletcore.MustParseMoney("50"),
		Gateway: "generic", Account: "north-main", IdempotencyKey: unique("key"), ExpiresAt: time.Now().Add(time.Hour),
	}
}

func (b *bench) create(t *testing.T) deposit.Deposit {
	t.Helper()
	d, created, err := b.Create(context.Background(), request())
	require.NoError(t, err)
	require.True(t, created)
	return d
}

// message is an honest message about d, with a message id of its own and the
// deposit's one payment.
func message(d *deposit.Deposit, status walletcore.PaymentStatus) walletcore.Notification {
	return walletcore.Notification{
		MessageID: unique("msg"), Gateway: d.Gateway, Account: d.Account, Brand: d.Brand, Dialect: "generic",
		EventID: unique("evt"), EventType: "payment." + string(status), DepositID: d.ID, PaymentID: "pay-" + d.ID,
		Status: status, Amount: d.Amount, Currency: d.Currency,
		OccurredAt: time.Now(), ReceivedAt: time.Now(), Body: []byte(`{"raw": "as it came"}`),
	}
}

func (b *bench) apply(t *testing.T, n walletcore.Notification) inbox.Outcome {
	t.Helper()
	o, err := b.Apply(context.Background(), n)
	require.NoError(t, err)
	return o
}

// confirmed makes a deposit and confirms it.
func (b *bench) confirmed(t *testing.T) deposit.Deposit {
	t.Helper()
	d := b.create(t)
	require.Equal(t, inbox.Applied, b.apply(t, message(&d, walletcore.PaymentConfirmed)).Result)
	return b.get(t, d.ID)
}

func (b *bench) get(t *testing.T, id string) deposit.Deposit {
	t.Helper()
	d, err := b.Get(context.Background(), "north", id)
	require.NoError(t, err)
	return d
}

func (b *bench) waitFor(t *testing.T, id string, status deposit.Status) deposit.Deposit {
	t.Helper()
	require.Eventually(t, func() bool { return b.get(t, id).Status == status }, 20*time.Second, 10*time.Millisecond,
		"deposit does not become %s", status)
	return b.get(t, id)
}

// count returns the number of rows, read as the superuser.
func (b *bench) count(t *testing.T, query string, args ...any) int {
	t.Helper()
	var n int
	require.NoError(t, b.admin.QueryRow(context.Background(), "select count(*) from casino."+query, args...).Scan(&n))
	return n
}

func (b *bench) waitCount(t *testing.T, want int, query string, args ...any) {
	t.Helper()
	require.Eventually(t, func() bool { return b.count(t, query, args...) == want }, 20*time.Second, 10*time.Millisecond,
		"not %d of %s", want, query)
}

// exec changes the database behind the service's back.
func (b *bench) exec(t *testing.T, query string, args ...any) {
	t.Helper()
	_, err := b.admin.Exec(context.Background(), query, args...)
	require.NoError(t, err)
}

// hurry makes every job that waits for its time run now.
func (b *bench) hurry(t *testing.T) {
	t.Helper()
	b.exec(t, `update casino.river_job set state = 'available', scheduled_at = now() where state in ('retryable', 'scheduled')`)
}

// cases returns the kinds of the open cases about a subject.
func (b *bench) cases(t *testing.T, subjectID string) []string {
	t.Helper()
	rows, err := b.admin.Query(context.Background(),
		`select kind::text from casino.cases where subject_id = $1 and closed_at is null order by id`, subjectID)
	require.NoError(t, err)
	defer rows.Close()
	kinds := []string{}
	for rows.Next() {
		var kind string
		require.NoError(t, rows.Scan(&kind))
		kinds = append(kinds, kind)
	}
	require.NoError(t, rows.Err())
	return kinds
}

// events returns the kinds of the deposit's history.
func (b *bench) events(t *testing.T, id string) []deposit.EventKind {
	t.Helper()
	events, err := b.Events(context.Background(), id)
	require.NoError(t, err)
	var kinds []deposit.EventKind
	for _, e := range events {
		kinds = append(kinds, e.Kind)
	}
	return kinds
}

// wallet credits each deposit id once, like gaming.
type wallet struct {
	mu       sync.Mutex
	receipts map[string]walletcore.Receipt
	requests []walletcore.DepositCredit
	// before and after run with the number of the call, from 1; an error is the
	// caller's answer. after runs when the money has moved.
	before, after func(call int) error
	balance       walletcore.Money
}

func (w *wallet) CreditDeposit(_ context.Context, c walletcore.DepositCredit) (walletcore.Posted, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.requests = append(w.requests, c)
	if w.before != nil {
		if err := w.before(len(w.requests)); err != nil {
			return walletcore.Posted{}, err
		}
	}
	receipt, replayed := w.receipts[c.DepositID]
	if !replayed {
		receipt = w.post(c)
	}
	if w.after != nil {
		if err := w.after(len(w.requests)); err != nil {
			return walletcore.Posted{}, err
		}
	}
	return walletcore.Posted{Receipt: receipt, Replayed: replayed}, nil
}

func (w *wallet) post(c walletcore.DepositCredit) walletcore.Receipt {
	before := w.balance
	w.balance = before.Add(c.Amount)
	receipt := walletcore.Receipt{
		WalletID: c.Wallet.ID(), Seq: int64(len(w.receipts) + 1), Kind: walletcore.KindDeposit, ExternalID: c.DepositID,
		RealBefore: before, RealAfter: w.balance, RecordedAt: time.Now().UTC().Truncate(time.Microsecond),
	}
	if w.receipts == nil {
		w.receipts = map[string]walletcore.Receipt{}
	}
	w.receipts[c.DepositID] = receipt
	return receipt
}

func (w *wallet) calls() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.requests)
}

func (w *wallet) receipt(id string) walletcore.Receipt {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.receipts[id]
}

// topic keeps the effects that were published.
type topic struct {
	mu        sync.Mutex
	published []deposit.Effect
	fail      func(call int) error
	calls     int
}

func (p *topic) PublishEffect(_ context.Context, e deposit.Effect) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls++
	if p.fail != nil {
		if err := p.fail(p.calls); err != nil {
			return err
		}
	}
	p.published = append(p.published, e)
	return nil
}

// of returns the names of the effects that were published for a deposit.
func (p *topic) of(id string) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var names []string
	for _, e := range p.published {
		if e.DepositID == id {
			names = append(names, e.Name)
		}
	}
	return names
}
