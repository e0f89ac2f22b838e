package broker_test

import (
	"bytes"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/broker"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

func TestDeclare_IsRepeatable(t *testing.T) {
	t.Parallel()
	host, conn := bench(t)
	require.NoError(t, conn.Declare(within(t, 10*time.Second), topology()))

	gaming := dial(t, host.URL(t, wallettest.GamingBroker))
	require.NoError(t, gaming.Declare(within(t, 10*time.Second), topology()), "with the rights of the service")
}

func TestDeclare_OtherTypeIsOneLineAndKeepsMessages(t *testing.T) {
	t.Parallel()
	host := wallettest.NewBroker(t)
	ch := host.Channel(t)
	_, err := ch.QueueDeclare(queue, true, false, false, false, nil) // classic
	require.NoError(t, err)
	require.NoError(t, ch.Confirm(false))
	for range 3 {
		confirm, err := ch.PublishWithDeferredConfirm("", queue, true, false, amqp.Publishing{Body: []byte("{}")})
		require.NoError(t, err)
		require.True(t, confirm.Wait())
	}

	conn := dial(t, host.URL(t, wallettest.GamingBroker))
	err = conn.Declare(within(t, 10*time.Second), topology())
	var wrong *broker.TopologyError
	require.ErrorAs(t, err, &wrong)
	require.Equal(t, "queue", wrong.Kind)
	require.Equal(t, queue, wrong.Name)
	require.Equal(t, "x-dead-letter-exchange", wrong.Argument, "the first that differs, in the broker's order")
	require.Equal(t, deadLetter, wrong.Wanted)
	require.Equal(t, "none", wrong.Found)
	require.NotContains(t, err.Error(), "\n")
	require.Equal(t, 3, host.Depth(t, queue))
}

func TestDeclare_OtherArgumentIsNamed(t *testing.T) {
	t.Parallel()
	host, conn := bench(t)
	_, err := host.Channel(t).QueueDeclare("gaming.classic", true, false, false, false, nil)
	require.NoError(t, err)
	for want, change := range map[string]func(*broker.Topology){
		"x-dead-letter-exchange": func(o *broker.Topology) { o.Queues[1].DeadLetter = "gaming.other" },
		"x-delivery-limit":       func(o *broker.Topology) { o.Queues[1].DeliveryLimit = 99 },
		"x-queue-type":           func(o *broker.Topology) { o.Queues = []broker.Queue{{Name: "gaming.classic"}} },
		"type":                   func(o *broker.Topology) { o.Exchanges[1].Kind = "topic" },
	} {
		other := topology()
		change(&other)
		err := conn.Declare(within(t, 10*time.Second), other)
		var wrong *broker.TopologyError
		require.ErrorAs(t, err, &wrong, want)
		require.Equal(t, want, wrong.Argument)
		require.NotEqual(t, wrong.Wanted, wrong.Found)
		require.False(t, strings.Contains(err.Error(), "\n"))
	}
}

func TestDeclare_AConnectionThatIsLostMeanwhileIsNoError(t *testing.T) {
	t.Parallel()
	host := wallettest.NewBroker(t)
	proxy, url := wallettest.NewProxyFor(t, host.URL(t, wallettest.AdminBroker))
	conn := dial(t, url)
	var cut atomic.Bool
	proxy.OnRequest(func(chunk []byte) wallettest.Action {
		if bytes.Contains(chunk, []byte(deadQueue)) && cut.CompareAndSwap(false, true) {
			return wallettest.CutBefore
		}
		return wallettest.Pass
	})
	require.NoError(t, conn.Declare(within(t, 20*time.Second), topology()))
	require.True(t, cut.Load())
	require.EqualValues(t, 2, conn.Stats().Connects.Load())
	publish(t, conn, work("m-1"))
	require.Equal(t, 1, host.Depth(t, queue))
}
