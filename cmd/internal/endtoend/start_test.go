package endtoend_test

import (
	"testing"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"
)

// requireRefusal starts a service that must end by itself, with exit code 1 and
// one line that says why and what to do.
func (p *platform) requireRefusal(name, why, try string) {
	p.t.Helper()
	service := p.launch(name, nil)
	log := p.lastLog()
	await(p.t, name+" to end by itself", func() bool {
		select {
		case <-service.Ended():
			return true
		default:
			return false
		}
	})
	require.Equal(p.t, 1, service.ExitCode(), log.String())
	lines := log.records(p.t, "ERROR")
	require.Len(p.t, lines, 1, log.String())
	require.Contains(p.t, lines[0].Error, why)
	require.Contains(p.t, lines[0].Error+lines[0].Try, try)
	log.requireSecretsKept(p.t, p.secrets())
}

func TestStart_AQueueOfAnotherTypeIsOneClearLine(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, nil)
	ch := p.broker.Channel(t)
	for _, queue := range []string{"gaming.calls", "casino.notifications"} {
		_, err := ch.QueueDeclare(queue, true, false, false, false, amqp.Table{"x-queue-type": "classic"})
		require.NoError(t, err)
	}
	p.requireRefusal("gaming", "queue gaming.calls exists with x-", "and was left as it is. Try: move its messages elsewhere")
	p.requireRefusal("casino", "queue casino.notifications exists with x-", "and was left as it is. Try: move its messages elsewhere")
}

func TestStart_AnExchangeOfAnotherTypeIsOneClearLine(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, nil)
	require.NoError(t, p.broker.Channel(t).ExchangeDeclare("gaming.rpc", "fanout", true, false, false, false, nil))
	p.requireRefusal("gaming", "exchange gaming.rpc exists with type fanout, wanted direct", "Try:")
}

func TestStart_ASchemaThatIsBehindIsRefused(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, nil)
	p.exec(`drop schema casino cascade`)
	p.requireRefusal("casino", "schema casino is not fit to serve: not applied:", "walletctl migrate up")
	p.exec(`delete from gaming.schema_version where version_id = (select max(version_id) from gaming.schema_version)`)
	p.requireRefusal("gaming", "schema gaming is not fit to serve: not applied: gaming/", "walletctl migrate up")
}

func TestStart_AnIdempotencyIndexThatIsNotValidIsRefused(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, nil)
	p.exec(`update pg_index set indisvalid = false where indexrelid = 'gaming.entries_idempotency_key'::regclass`)
	p.requireRefusal("gaming", "index entries_idempotency_key of gaming.entries is not valid", "reindex it")
	p.exec(`alter table casino.payments drop constraint payments_pkey`)
	p.requireRefusal("casino", "casino.payments lacks payments_pkey", "put back what is named")
}
