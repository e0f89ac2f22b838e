package broker_test

import (
	"context"
	"errors"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/broker"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// nextDead returns the next dead letter, as the user of conn reads it.
func nextDead(t *testing.T, conn *broker.Conn) broker.Delivery {
	t.Helper()
	ctx, stop := context.WithCancel(within(t, 20*time.Second))
	var found broker.Delivery
	err := conn.Consume(ctx, broker.ConsumerOptions{Queue: deadQueue, DeadLetter: deadLetter, Workers: 1, Prefetch: 1},
		func(_ context.Context, d broker.Delivery) error {
			found = d
			stop()
			return nil
		})
	require.NoError(t, err)
	require.NotEmpty(t, found.ID, "no dead letter came")
	return found
}

// dies has a message die as handle says, and returns the letter.
func dies(t *testing.T, conn *broker.Conn, handle broker.Handler, m broker.Message) broker.Delivery {
	t.Helper()
	stop := consume(t, conn, broker.ConsumerOptions{}, handle)
	publish(t, conn, m)
	letter := nextDead(t, conn)
	require.NoError(t, stop())
	return letter
}

func unprocessable(context.Context, broker.Delivery) error {
	return &broker.Unprocessable{Reason: "nobody understands it"}
}

func TestDeath_OfAParkedMessageAndOfOneThatTheBrokerDropped(t *testing.T) {
	t.Parallel()
	_, conn := bench(t)
	began := time.Now().Truncate(time.Second)
	parked := dies(t, conn, unprocessable, work("m-1"))
	dropped := dies(t, conn, func(context.Context, broker.Delivery) error { return errors.New("no") }, work("m-2"))
	for _, c := range []struct {
		letter broker.Delivery
		reason string
	}{{parked, "nobody understands it"}, {dropped, "delivery_limit: "}} {
		death := c.letter.Death(time.Now())
		require.Equal(t, queue, death.Queue)
		require.Equal(t, exchange, death.Exchange)
		require.Contains(t, death.Reason, c.reason)
		require.Equal(t, 1, death.Count)
		require.Equal(t, death.First, death.Last)
		require.False(t, death.Last.Before(began), death.Last)
		require.Equal(t, "work", c.letter.Key)
	}
}

func TestAgain_KeepsTheFirstSenderAndCountsTheDeaths(t *testing.T) {
	t.Parallel()
	_, conn := bench(t)
	m := work("m-1")
	m.UserID, m.Headers = conn.User(), map[string]any{"mine": "x", "CC": []any{"work"}}
	first := dies(t, conn, unprocessable, m)
	require.Equal(t, "admin", first.UserID)
	death := first.Death(time.Now())

	again := broker.Again(broker.Message{Exchange: exchange, Key: "work", ID: first.ID, Headers: first.Headers, Body: first.Body},
		conn.User(), broker.Past{Sender: "payouts", Letter: "casino-1", Deaths: 7, First: death.First.Add(-time.Hour)})
	require.Equal(t, "x", again.Headers["mine"])
	require.NotContains(t, again.Headers, "CC", "it names more queues than the one that gave it up")
	seen := make(chan broker.Delivery, 1)
	second := dies(t, conn, func(ctx context.Context, d broker.Delivery) error {
		seen <- d
		return unprocessable(ctx, d)
	}, again)
	require.Equal(t, "payouts", (<-seen).UserID, "a handler sees who sent it first")
	require.Equal(t, "payouts", second.UserID, "and so does its next death")
	died := second.Death(time.Now())
	require.Equal(t, 8, died.Count)
	require.Equal(t, death.First.Add(-time.Hour), died.First)
	require.True(t, died.Last.After(died.First))
}

// A stranger cannot speak in another's name, nor lend its message a past.
func TestDelivery_AStrangersWordAboutItselfIsNotBelieved(t *testing.T) {
	t.Parallel()
	host, conn := bench(t)
	past := amqp.Table{
		broker.HeaderSender: "payouts", broker.HeaderDeaths: int64(9), broker.HeaderDeadReason: "a lie",
		broker.HeaderDeadQueue: "casino.outcomes",
	}
	for _, user := range []string{"", "gaming"} {
		stranger := broker.Delivery{}
		ch, err := amqp.Dial(host.URL(t, wallettest.GamingBroker))
		require.NoError(t, err)
		channel, err := ch.Channel()
		require.NoError(t, err)
		require.NoError(t, channel.Publish("", deadQueue, true, false, amqp.Publishing{MessageId: "m-1", UserId: user, Headers: past}))
		stranger = nextDead(t, conn)
		require.NoError(t, ch.Close())
		require.Equal(t, user, stranger.UserID)
		death := stranger.Death(time.Now())
		require.Equal(t, 1, death.Count)
		require.Empty(t, death.Queue)
		require.Contains(t, death.Reason, "directly")
	}
}
