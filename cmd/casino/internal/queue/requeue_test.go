package queue_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/casino/internal/queue"
	"github.com/walletctl/walletctl/cmd/internal/keeper"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/deadletter"
	"github.com/walletctl/walletctl/walletcore/deposit"
	"github.com/walletctl/walletctl/walletcore/wallettest"
	"github.com/walletctl/walletctl/walletcore/withdrawal"
)

// office keeps dead letters and sends them again.
type office struct {
	*suite
	t     *testing.T
	admin *pgxpool.Pool
	ana   *pgxpool.Pool // a person on call
}

func newOffice(t *testing.T) *office {
	t.Helper()
	o := &office{suite: newSuite(t), t: t}
	db := wallettest.NewDatabase(t)
	o.admin, o.ana = db.Pool(t, wallettest.Admin), db.PoolOf(t, wallettest.NewPerson(t, "ana", "oncall"))
	store := &deadletter.Store{Pool: db.Pool(t, wallettest.Casino), Schema: "casino"}
	logger := slog.New(slog.NewTextHandler(t.Output(), nil))
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 2)
	go func() {
		done <- keeper.Run(ctx, o.conn, keeper.Options{
			Exchange: queue.DeadLetterExchange, Queue: queue.DeadLetterQueue, Store: store, DrainTimeout: time.Second, Logger: logger,
		})
	}()
	go func() {
		done <- queue.Requeue(ctx, o.conn, queue.RequeueOptions{Store: store, Interval: 20 * time.Millisecond, Logger: logger})
	}()
	t.Cleanup(func() {
		stop()
		require.NoError(t, <-done)
		require.NoError(t, <-done)
	})
	return o
}

// await returns when the newest letter is in this state, and its id.
func (o *office) await(letters int, state string) (id int64, text string) {
	o.t.Helper()
	require.Eventually(o.t, func() bool {
		var n int
		var now string
		err := o.admin.QueryRow(context.Background(), `
select count(*) over (), id, state::text, coalesce(error, '') from casino.dead_letters order by id desc limit 1`).
			Scan(&n, &id, &now, &text)
		return err == nil && n == letters && now == state
	}, 30*time.Second, 10*time.Millisecond, "%d letters, the newest %s", letters, state)
	return id, text
}

func (o *office) requeue(id int64) {
	o.t.Helper()
	_, err := o.ana.Exec(context.Background(), `select casino.requeue_dead($1, 'try again')`, id)
	require.NoError(o.t, err)
}

func (o *office) texts(query string) (found []string) {
	o.t.Helper()
	require.NoError(o.t, o.admin.QueryRow(context.Background(), query).Scan(&found))
	return found
}

func TestRequeue_AWebhookThatIsDeadAgainIsAnotherLetterWithItsPast(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	require.NoError(t, o.webhooks.PublishNotification(t.Context(), webhook("m-1", `{`)))
	first, _ := o.await(1, "kept")
	o.requeue(first)
	second, _ := o.await(2, "kept")
	o.requeue(second)
	o.await(3, "kept")
	require.Equal(t, []string{"1 requeued", "2 requeued", "3 kept"},
		o.texts(`select array_agg(deaths || ' ' || state order by id) from casino.dead_letters`))
	require.Equal(t, []string{"casino", "casino", "casino"}, o.texts(`select array_agg(user_id order by id) from casino.dead_letters`))
	var firsts int
	require.NoError(t, o.admin.QueryRow(t.Context(), `select count(distinct date_trunc('milliseconds', first_death_at)) from casino.dead_letters`).Scan(&firsts))
	require.Equal(t, 1, firsts)
}

func TestRequeue_AWebhookIsAppliedAsItCame(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	// A state machine whose rules were repaired meanwhile.
	o.inbox.fail = []error{&walletcore.FieldError{Field: "deposit_id", Reason: "is not understood yet"}}
	require.NoError(t, o.webhooks.PublishNotification(t.Context(), webhook("m-1", confirmed)))
	id, _ := o.await(1, "kept")
	o.requeue(id)
	o.inbox.wait(t)
	o.await(1, "requeued")
	require.Len(t, o.inbox.applied, 1)
	n := o.inbox.applied[0]
	require.Equal(t, "m-1", n.MessageID, "under the id by which a repetition is known")
	require.Equal(t, confirmed, string(n.Body))
	require.Equal(t, webhook("", "").ReceivedAt, n.ReceivedAt)
}

// A person who requeues everything must not turn a forgery into casino's word.
func TestRequeue_AForgedWebhookStaysForged(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	headers := amqp.Table{
		"x-gateway": "generic", "x-account": "acme-eu", "x-brand": "acme", "x-dialect": "generic",
		"x-received-at": "2026-11-01T12:00:00Z", "x-sender": "casino", "x-dead-queue": queue.NotificationsQueue,
	}
	ch := o.payer(t, wallettest.GamingBroker)
	for i, user := range []string{"gaming", ""} {
		require.NoError(t, ch.Publish("", queue.NotificationsQueue, true, false, amqp.Publishing{
			MessageId: "forged", UserId: user, DeliveryMode: amqp.Persistent, Body: []byte(confirmed), Headers: headers,
		}))
		id, _ := o.await(2*i+1, "kept")
		o.requeue(id)
		o.await(2*i+2, "kept")
	}
	require.Empty(t, o.inbox.applied)
	require.Equal(t, []string{"gaming", "gaming", "", ""}, o.texts(`select array_agg(user_id order by id) from casino.dead_letters`))
}

func TestRequeue_AnOutcomeIsStillTheWordOfWhoPays(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.outcomes(t)
	o.payouts.fail = []error{&walletcore.FieldError{Field: "withdrawal_id", Reason: "is not understood yet"}}
	o.tell(t, o.payer(t, wallettest.PayoutsBroker), "o-1", "payouts", paid)
	id, _ := o.await(1, "kept")
	require.Equal(t, []string{"payouts casino.outcomes"}, o.texts(`select array_agg(user_id || ' ' || queue) from casino.dead_letters`))
	o.requeue(id)
	o.payouts.wait(t)
	require.Equal(t, "outcome:payouts:o-1", o.payouts.applied[0].MessageID, "the same message, not another")

	// What casino itself put there pays nothing, however it is dressed up.
	o.tell(t, o.payer(t, wallettest.CasinoBroker), "o-2", "casino", paid)
	id, _ = o.await(2, "kept")
	o.requeue(id)
	o.await(3, "kept")
	require.Len(t, o.payouts.applied, 1)
}

func TestRequeue_AnEventGoesBackToItsOneQueue(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	require.NoError(t, queue.NewEffects(o.conn).PublishEffect(t.Context(), deposit.Effect{
		MessageID: "deposit.confirmed:d-1:promotions", Event: deposit.EventDepositConfirmed, Name: "promotions", DepositID: "d-1",
	}))
	require.NoError(t, queue.NewPayouts(o.conn).PublishPayout(t.Context(), withdrawal.Payout{
		MessageID: "payout.requested:w-1", Event: withdrawal.EventPayout, WithdrawalID: "w-1",
	}))
	for i, from := range []string{queue.EffectQueue("promotions"), queue.PayoutsQueue} {
		ch := o.vhost.Channel(t)
		o.vhost.WaitForDepth(t, from, 1)
		d, ok, err := ch.Get(from, false)
		require.NoError(t, err)
		require.True(t, ok)
		require.NoError(t, d.Reject(false)) // its receiver refuses it
		id, _ := o.await(i+1, "kept")
		o.requeue(id)
		o.await(i+1, "requeued")
		again := o.vhost.Drain(t, from)
		require.Len(t, again, 1)
		require.Equal(t, d.MessageId, again[0].MessageId)
		require.Equal(t, d.Body, again[0].Body)
		require.Equal(t, "casino", again[0].UserId)
		require.NotContains(t, again[0].Headers, "x-death")
	}
}

func TestRequeue_WhatCannotBeSentSaysWhyAndWaitsForAPerson(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	gaming := o.payer(t, wallettest.GamingBroker)
	forged := amqp.Table{"x-death": []any{amqp.Table{"queue": queue.PayoutsQueue, "reason": "rejected"}}}
	elsewhere := amqp.Table{"x-death": []any{amqp.Table{"queue": "gaming.calls", "reason": "rejected"}}}
	lost := amqp.Table{"x-death": []any{amqp.Table{"queue": queue.EffectQueue("nobody"), "reason": "rejected"}}}
	for i, c := range []struct {
		ch      *amqp.Channel
		user    string
		headers amqp.Table
		reason  string
	}{
		{gaming, "gaming", forged, `was sent by "gaming"`},
		{gaming, "", elsewhere, `queue "gaming.calls" is none that casino sends to`},
		{o.payer(t, wallettest.CasinoBroker), "casino", lost, "NO_ROUTE"},
	} {
		exchange, key := "", queue.DeadLetterQueue
		if c.user == "casino" {
			exchange, key = queue.DeadLetterExchange, ""
		}
		require.NoError(t, c.ch.Publish(exchange, key, true, false, amqp.Publishing{
			UserId: c.user, DeliveryMode: amqp.Persistent, Body: []byte(`{}`), Headers: c.headers,
		}))
		id, _ := o.await(i+1, "kept")
		o.requeue(id)
		require.Eventually(t, func() bool {
			_, text := o.await(i+1, "kept")
			return text != ""
		}, 20*time.Second, 10*time.Millisecond)
		_, text := o.await(i+1, "kept")
		require.Contains(t, text, c.reason)
	}
	require.Zero(t, o.vhost.Depth(t, queue.PayoutsQueue))
}
