package rpc_test

import (
	"context"
	"encoding/json"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/rpc"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

const inFlight = 32

// echo answers at once: what is measured is the way.
type echo struct{ rpc.Wallet }

func (echo) CreditDeposit(_ context.Context, c walletcore.DepositCredit) (walletcore.Posted, error) {
	return walletcore.Posted{Receipt: walletcore.Receipt{
		WalletID: c.Wallet.ID(), Kind: walletcore.KindDeposit, ExternalID: c.DepositID, RealAfter: c.Amount,
	}}, nil
}

// BenchmarkCreditDeposit measures whole calls, 32 in flight on one connection a
// side, without a ledger behind them.
func BenchmarkCreditDeposit(b *testing.B) {
	host := wallettest.NewBroker(b)
	serve(b, host, echo{}, rpc.ServerOptions{})
	casino := client(b, host.URL(b, wallettest.CasinoBroker), 0)
	ctx := within(b, time.Minute)
	_, err := casino.CreditDeposit(ctx, credit(0))
	require.NoError(b, err)
	together(b, func(n int64) {
		if _, err := casino.CreditDeposit(ctx, credit(int(n))); err != nil {
			b.Error(err)
		}
	})
}

// BenchmarkBareRequestReply is the same mode on the library alone: a quorum
// queue, persistent and mandatory requests with confirmations, direct reply-to,
// manual acknowledgement, bodies of the same size that nobody reads.
func BenchmarkBareRequestReply(b *testing.B) {
	host := wallettest.NewBroker(b)
	declare(b, host)
	bareServer(b, host)
	call := bareClient(b, host)
	call(0)
	together(b, call)
}

// together makes b.N calls with 32 in flight.
func together(b *testing.B, call func(n int64)) {
	var next atomic.Int64
	var all sync.WaitGroup
	b.ResetTimer()
	for range inFlight {
		all.Go(func() {
			for n := next.Add(1); n <= int64(b.N); n = next.Add(1) {
				call(n)
			}
		})
	}
	all.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "calls/s")
}

func bareServer(b *testing.B, host *wallettest.Broker) {
	requests, replies := channel(b, host, wallettest.GamingBroker), channel(b, host, wallettest.GamingBroker)
	require.NoError(b, requests.Qos(2*inFlight, 0, false))
	deliveries, err := requests.Consume(rpc.CallsQueue, "", false, false, false, false, nil)
	require.NoError(b, err)
	posted, err := echo{}.CreditDeposit(context.Background(), credit(1))
	require.NoError(b, err)
	answer, err := json.Marshal(posted)
	require.NoError(b, err)
	for range inFlight {
		go func() {
			for d := range deliveries {
				_ = replies.Publish("", d.ReplyTo, false, false, amqp.Publishing{CorrelationId: d.CorrelationId, Body: answer})
				_ = d.Ack(false)
			}
		}()
	}
}

func bareClient(b *testing.B, host *wallettest.Broker) func(int64) {
	ch := channel(b, host, wallettest.CasinoBroker)
	require.NoError(b, ch.Confirm(false))
	replies, err := ch.Consume("amq.rabbitmq.reply-to", "", true, false, false, false, nil)
	require.NoError(b, err)
	var waiting sync.Map
	go func() {
		for d := range replies {
			if caller, ok := waiting.LoadAndDelete(d.CorrelationId); ok {
				close(caller.(chan struct{}))
			}
		}
	}()
	request, err := json.Marshal(credit(1))
	require.NoError(b, err)
	return func(n int64) {
		id, answered := strconv.FormatInt(n, 10), make(chan struct{})
		waiting.Store(id, answered)
		confirmed, err := ch.PublishWithDeferredConfirm(rpc.Exchange, rpc.CreditKey, true, false, amqp.Publishing{
			CorrelationId: id, ReplyTo: "amq.rabbitmq.reply-to", DeliveryMode: amqp.Persistent, Body: request,
		})
		if err != nil || !confirmed.Wait() {
			b.Error("not confirmed", err)
		}
		<-answered
	}
}

func channel(b *testing.B, host *wallettest.Broker, user wallettest.BrokerUser) *amqp.Channel {
	conn, err := amqp.Dial(host.URL(b, user))
	require.NoError(b, err)
	b.Cleanup(func() { _ = conn.Close() })
	ch, err := conn.Channel()
	require.NoError(b, err)
	return ch
}
