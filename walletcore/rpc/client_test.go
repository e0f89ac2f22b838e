package rpc_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/rpc"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

func TestCall_EveryCallerGetsItsOwnReceipt(t *testing.T) {
	t.Parallel()
	host := wallettest.NewBroker(t)
	var gaming book
	serve(t, host, &gaming, rpc.ServerOptions{})
	casino := client(t, host.URL(t, wallettest.CasinoBroker), 0)
	ctx := within(t, 30*time.Second)
	var all sync.WaitGroup
	for i := range 100 {
		all.Go(func() {
			posted, err := casino.CreditDeposit(ctx, credit(i))
			if err != nil {
				t.Error(err)
				return
			}
			want := gaming.post(credit(i)).Receipt
			if diff := cmp.Diff(want, posted.Receipt, cmp.AllowUnexported(walletcore.Money{})); diff != "" || posted.Replayed {
				t.Errorf("deposit %d: %s", i, diff)
			}
		})
	}
	all.Wait()
	calls, posted := gaming.count()
	require.Equal(t, 100, calls)
	require.Equal(t, 100, posted)

	again, err := casino.CreditDeposit(ctx, credit(7))
	require.NoError(t, err)
	require.True(t, again.Replayed)
}

func TestCall_TheLedgersErrorsArriveAsThemselves(t *testing.T) {
	t.Parallel()
	host := wallettest.NewBroker(t)
	answers := map[string]error{
		"d-0": &walletcore.ConflictError{Kind: walletcore.KindDeposit, ExternalID: "d-0", Field: "amount", Stored: "1", Given: "2"},
		"d-1": &walletcore.RefusedError{Code: walletcore.RefusedOverflow, Detail: "too much"},
		"d-2": &walletcore.FieldError{Field: "wallet.currency", Reason: "is not known"},
	}
	gaming := book{respond: func(_ context.Context, c walletcore.DepositCredit) error { return answers[c.DepositID] }}
	serve(t, host, &gaming, rpc.ServerOptions{})
	casino := client(t, host.URL(t, wallettest.CasinoBroker), 0)

	var conflict *walletcore.ConflictError
	_, err := casino.CreditDeposit(within(t, 20*time.Second), credit(0))
	require.ErrorAs(t, err, &conflict)
	require.Empty(t, cmp.Diff(answers["d-0"], error(conflict)))
	var refused *walletcore.RefusedError
	_, err = casino.CreditDeposit(within(t, 20*time.Second), credit(1))
	require.ErrorAs(t, err, &refused)
	require.Empty(t, cmp.Diff(answers["d-1"], error(refused)))
	var field *walletcore.FieldError
	_, err = casino.CreditDeposit(within(t, 20*time.Second), credit(2))
	require.ErrorAs(t, err, &field)
	require.Empty(t, cmp.Diff(answers["d-2"], error(field)))
	require.Zero(t, host.Depth(t, rpc.DeadLetterQueue), "an answer is not a dead letter")
}

func TestCall_ImpossibleCreditIsNotSent(t *testing.T) {
	t.Parallel()
	host := wallettest.NewBroker(t)
	declare(t, host)
	casino := client(t, host.URL(t, wallettest.CasinoBroker), 0)
	c := credit(1)
	c.Amount = walletcore.Money{}
	_, err := casino.CreditDeposit(within(t, 20*time.Second), c)
	var field *walletcore.FieldError
	require.ErrorAs(t, err, &field)
	require.Zero(t, host.Depth(t, rpc.CallsQueue))
}

func TestCall_MissingQueueIsNotDeliveredAndHeals(t *testing.T) {
	t.Parallel()
	host := wallettest.NewBroker(t)
	casino := client(t, host.URL(t, wallettest.CasinoBroker), 0)
	var undelivered *rpc.NotDeliveredError
	started := time.Now()
	_, err := casino.CreditDeposit(within(t, 20*time.Second), credit(1))
	require.ErrorAs(t, err, &undelivered, "no exchange: gaming has never been there")
	require.ErrorContains(t, err, rpc.Exchange)

	declare(t, host)
	host.DeleteQueue(t, rpc.CallsQueue)
	eventually(t, func() bool { // the first ones may still find the exchange missing
		_, err = casino.CreditDeposit(within(t, 20*time.Second), credit(1))
		require.ErrorAs(t, err, &undelivered)
		return cmp.Equal(undelivered.Err.Error(), `message to exchange "gaming.rpc" with key "credit_deposit" was returned: NO_ROUTE (312)`)
	})
	require.Less(t, time.Since(started), 10*time.Second, "nobody waited for the timeout")

	serve(t, host, new(book), rpc.ServerOptions{})
	_, err = casino.CreditDeposit(within(t, 20*time.Second), credit(1))
	require.NoError(t, err)
}

func TestCall_NobodyAnswersIsUnknown(t *testing.T) {
	t.Parallel()
	host := wallettest.NewBroker(t)
	declare(t, host)
	casino := client(t, host.URL(t, wallettest.CasinoBroker), 100*time.Millisecond)
	_, err := casino.CreditDeposit(within(t, 20*time.Second), credit(1))
	var unknown *rpc.UnknownOutcomeError
	require.ErrorAs(t, err, &unknown)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Equal(t, 1, host.Depth(t, rpc.CallsQueue))

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = casino.CreditDeposit(ctx, credit(2))
	require.ErrorIs(t, err, context.Canceled)
}

// A reply that comes after its caller has gone must not reach another.
func TestCall_LateReplyIsDropped(t *testing.T) {
	t.Parallel()
	host := wallettest.NewBroker(t)
	release := make(chan struct{})
	gaming := book{respond: func(_ context.Context, c walletcore.DepositCredit) error {
		if c.DepositID == "d-1" {
			<-release
		}
		return nil
	}}
	serve(t, host, &gaming, rpc.ServerOptions{})
	conn := dial(t, host.URL(t, wallettest.CasinoBroker))
	casino, err := rpc.NewClient(conn, rpc.ClientOptions{})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	gone := make(chan error)
	go func() { _, err := casino.CreditDeposit(ctx, credit(1)); gone <- err }()
	eventually(t, func() bool { calls, _ := gaming.count(); return calls == 1 })
	cancel()
	var unknown *rpc.UnknownOutcomeError
	require.ErrorAs(t, <-gone, &unknown)

	close(release)
	eventually(t, func() bool { return conn.Stats().LateReplies.Load() == 1 })
	posted, err := casino.CreditDeposit(within(t, 20*time.Second), credit(2))
	require.NoError(t, err)
	require.Equal(t, "d-2", posted.Receipt.ExternalID)
}

func TestCall_ReplyLostIsUnknownAndTheRetryGetsTheReceipt(t *testing.T) {
	t.Parallel()
	host := wallettest.NewBroker(t)
	proxy, url := wallettest.NewProxyFor(t, host.URL(t, wallettest.CasinoBroker))
	var gaming book
	gaming.respond = func(context.Context, walletcore.DepositCredit) error {
		proxy.Cut() // after the request arrived, before its reply
		return nil
	}
	serve(t, host, &gaming, rpc.ServerOptions{})
	casino := client(t, url, 0)
	started := time.Now()
	_, err := casino.CreditDeposit(within(t, 20*time.Second), credit(1))
	var unknown *rpc.UnknownOutcomeError
	require.ErrorAs(t, err, &unknown)
	require.Less(t, time.Since(started), 8*time.Second, "a lost channel is noticed before the timeout")

	gaming.mu.Lock()
	gaming.respond = nil
	gaming.mu.Unlock()
	posted, err := casino.CreditDeposit(within(t, 20*time.Second), credit(1))
	require.NoError(t, err)
	require.True(t, posted.Replayed)
	require.Empty(t, cmp.Diff(gaming.posted["d-1"].Receipt, posted.Receipt, cmp.AllowUnexported(walletcore.Money{})))
}

// All connections die twice with 100 calls in flight: each call ends with its
// receipt after retries, and gaming consumes again.
func TestCall_ConnectionsClosedUnderLoad(t *testing.T) {
	t.Parallel()
	const n = 100
	host := wallettest.NewBroker(t)
	var cut atomic.Pointer[chan struct{}]
	gaming := book{respond: func(context.Context, walletcore.DepositCredit) error { <-*cut.Load(); return nil }}
	first := make(chan struct{})
	cut.Store(&first)
	server, _ := serve(t, host, &gaming, rpc.ServerOptions{Workers: n, Prefetch: n})
	casino := client(t, host.URL(t, wallettest.CasinoBroker), 30*time.Second)
	ctx := within(t, 60*time.Second)
	var unknown atomic.Int64
	receipts := make([]walletcore.Receipt, 2*n)
	for round := range 2 {
		calls, _ := gaming.count()
		var all sync.WaitGroup
		for i := range n {
			all.Go(func() {
				receipts[n*round+i] = insist(ctx, casino, credit(n*round+i), &unknown)
			})
		}
		eventually(t, func() bool { now, _ := gaming.count(); return now == calls+n })
		host.CloseConnections(t)
		eventually(t, func() bool { return unknown.Load() == int64(n*(round+1)) })
		done := make(chan struct{})
		close(done)
		next := make(chan struct{})
		held := *cut.Swap(&done)
		close(held)
		all.Wait()
		cut.Store(&next)
	}
	last := make(chan struct{})
	close(last)
	cut.Store(&last)
	require.NoError(t, ctx.Err())
	for i, receipt := range receipts {
		want := gaming.post(credit(i)).Receipt
		require.Empty(t, cmp.Diff(want, receipt, cmp.AllowUnexported(walletcore.Money{})))
	}
	require.EqualValues(t, 2*n, server.Stats().LostAcks.Load())
	host.WaitForConsumers(t, rpc.CallsQueue, 1)
	require.Zero(t, host.Depth(t, rpc.DeadLetterQueue))
}

// insist calls until there is a receipt.
func insist(ctx context.Context, casino *rpc.Client, c walletcore.DepositCredit, unknown *atomic.Int64) walletcore.Receipt {
	for ctx.Err() == nil {
		posted, err := casino.CreditDeposit(ctx, c)
		if err == nil {
			return posted.Receipt
		}
		var lost *rpc.UnknownOutcomeError
		if errors.As(err, &lost) {
			unknown.Add(1)
		}
	}
	return walletcore.Receipt{}
}

func TestCall_RequestOnTheWire(t *testing.T) {
	t.Parallel()
	host := wallettest.NewBroker(t)
	declare(t, host)
	casino := client(t, host.URL(t, wallettest.CasinoBroker), 100*time.Millisecond)
	before := time.Now()
	_, err := casino.CreditDeposit(within(t, 20*time.Second), credit(1))
	require.Error(t, err)
	sent := host.Drain(t, rpc.CallsQueue)
	require.Len(t, sent, 1)
	want := amqp.Delivery{
		ContentType: "application/json", DeliveryMode: amqp.Persistent, Type: "credit_deposit",
		Exchange: "gaming.rpc", RoutingKey: "credit_deposit", DeliveryTag: 1,
		Body: []byte(`{"schema_version":1,"credit":{"deposit_id":"d-1","wallet":{"brand":"b","user":"u-1","currency":"EUR"},"amount":"0.02000000","occurred_at":"2026-01-02T03:04:05Z"}}`),
	}
	require.Empty(t, cmp.Diff(want, sent[0], cmpopts.IgnoreFields(amqp.Delivery{}, "Acknowledger", "Headers", "CorrelationId", "ReplyTo")))
	require.NotEmpty(t, sent[0].CorrelationId)
	require.Contains(t, sent[0].ReplyTo, "amq.rabbitmq.reply-to.")
	deadline := time.UnixMilli(sent[0].Headers["x-deadline"].(int64))
	require.WithinDuration(t, before.Add(100*time.Millisecond), deadline, 5*time.Second)
}

func TestNewClient_OptionsAreChecked(t *testing.T) {
	t.Parallel()
	_, err := rpc.NewClient(nil, rpc.ClientOptions{Timeout: -1})
	require.Error(t, err)
}
