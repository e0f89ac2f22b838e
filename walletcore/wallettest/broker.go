package wallettest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/google/uuid"
	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"
)

// BrokerUser is a login of the broker, named by the variable that holds its
// URL.
type BrokerUser string

// The logins that the stack hands out.
const (
	AdminBroker   BrokerUser = "ADMIN_AMQP_URL"
	CasinoBroker  BrokerUser = "CASINO_AMQP_URL"
	GamingBroker  BrokerUser = "GAMING_AMQP_URL"
	WorkerBroker  BrokerUser = "WORKER_AMQP_URL"
	PayoutsBroker BrokerUser = "PAYOUTS_AMQP_URL"
)

// Broker is a fresh virtual host of the broker, in which the services have the
// same rights as in the stack's own. It is deleted when the test ends.
type Broker struct {
	Host string
}

// NewBroker makes a virtual host.
func NewBroker(t testing.TB) *Broker {
	t.Helper()
	b := &Broker{Host: "test-" + uuid.NewString()[:13]}
	manage(t, http.MethodPut, "/api/vhosts/"+b.Host, nil, nil)
	t.Cleanup(func() { manage(t, http.MethodDelete, "/api/vhosts/"+b.Host, nil, nil) })
	var permissions []struct{ User, Configure, Write, Read string }
	manage(t, http.MethodGet, "/api/vhosts/%2F/permissions", nil, &permissions)
	for _, p := range permissions {
		grant := map[string]string{"configure": p.Configure, "write": p.Write, "read": p.Read}
		manage(t, http.MethodPut, "/api/permissions/"+b.Host+"/"+url.PathEscape(p.User), grant, nil)
	}
	return b
}

// URL returns the host's URL for a user.
func (b *Broker) URL(t testing.TB, user BrokerUser) string {
	t.Helper()
	u, err := url.Parse(Getenv(t, string(user)))
	require.NoError(t, err)
	u.Path = "/" + b.Host
	return u.String()
}

// Channel opens a channel as admin, on a connection of its own that is closed
// when the test ends.
func (b *Broker) Channel(t testing.TB) *amqp.Channel {
	t.Helper()
	conn, err := amqp.Dial(b.URL(t, AdminBroker))
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	ch, err := conn.Channel()
	require.NoError(t, err)
	return ch
}

// Depth returns how many messages of a queue wait for a consumer. It is 0 where
// the queue does not exist.
func (b *Broker) Depth(t testing.TB, queue string) int {
	t.Helper()
	return b.inspect(t, queue).Messages
}

// Consumers returns how many consumers a queue has, those included that were
// cancelled and still hold messages. It is 0 where the queue does not exist.
func (b *Broker) Consumers(t testing.TB, queue string) int {
	t.Helper()
	return b.inspect(t, queue).Consumers
}

// Drain takes all messages off a queue and returns them.
func (b *Broker) Drain(t testing.TB, queue string) []amqp.Delivery {
	t.Helper()
	var all []amqp.Delivery
	b.onChannel(t, func(ch *amqp.Channel) {
		for {
			d, ok, err := ch.Get(queue, true)
			require.NoError(t, err)
			if !ok {
				return
			}
			all = append(all, d)
		}
	})
	return all
}

// WaitForDepth returns when as many messages wait in a queue.
func (b *Broker) WaitForDepth(t testing.TB, queue string, want int) {
	t.Helper()
	require.Eventually(t, func() bool { return b.Depth(t, queue) == want }, 30*time.Second, 20*time.Millisecond,
		"queue %s does not come to %d messages", queue, want)
}

// WaitForConsumers returns when a queue has as many consumers.
func (b *Broker) WaitForConsumers(t testing.TB, queue string, want int) {
	t.Helper()
	require.Eventually(t, func() bool { return b.Consumers(t, queue) == want }, 30*time.Second, 20*time.Millisecond,
		"queue %s does not come to %d consumers", queue, want)
}

// DeleteQueue deletes a queue with its messages.
func (b *Broker) DeleteQueue(t testing.TB, queue string) {
	t.Helper()
	b.onChannel(t, func(ch *amqp.Channel) {
		_, err := ch.QueueDelete(queue, false, false, false)
		require.NoError(t, err)
	})
}

// CloseConnections closes every connection of the host from the broker's side.
// It waits until there is one to close, which takes the broker up to 5 s to
// show, and returns how many there were.
func (b *Broker) CloseConnections(t testing.TB) int {
	t.Helper()
	var connections []struct{ Name string }
	require.Eventually(t, func() bool {
		manage(t, http.MethodGet, "/api/vhosts/"+b.Host+"/connections", nil, &connections)
		return len(connections) > 0
	}, 30*time.Second, 20*time.Millisecond, "no connection shows up")
	for _, c := range connections {
		manage(t, http.MethodDelete, "/api/connections/"+url.PathEscape(c.Name), nil, nil)
	}
	return len(connections)
}

// inspect asks the broker itself: its management API lags behind by seconds.
func (b *Broker) inspect(t testing.TB, queue string) amqp.Queue {
	t.Helper()
	var found amqp.Queue
	b.onChannel(t, func(ch *amqp.Channel) {
		var err error
		found, err = ch.QueueDeclarePassive(queue, true, false, false, false, nil)
		var reply *amqp.Error
		if err != nil {
			require.ErrorAs(t, err, &reply)
			require.Equal(t, amqp.NotFound, reply.Code)
		}
	})
	return found
}

// onChannel uses a connection of its own each time: the test may be closing the
// others.
func (b *Broker) onChannel(t testing.TB, use func(*amqp.Channel)) {
	t.Helper()
	conn, err := amqp.Dial(b.URL(t, AdminBroker))
	require.NoError(t, err)
	defer conn.Close()
	ch, err := conn.Channel()
	require.NoError(t, err)
	use(ch)
}

// manage calls the broker's management API. What is gone already is fine to
// delete.
func manage(t testing.TB, method, path string, body, result any) {
	t.Helper()
	var payload io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		require.NoError(t, err)
		payload = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, Getenv(t, "RABBITMQ_MANAGEMENT_URL")+path, payload)
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	if method == http.MethodDelete && response.StatusCode == http.StatusNotFound {
		return
	}
	require.Less(t, response.StatusCode, 300, "%s %s", method, path)
	if result != nil {
		require.NoError(t, json.NewDecoder(response.Body).Decode(result))
	}
}
