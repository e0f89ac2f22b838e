package endtoend_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// as runs one thing on a channel of a user's own and returns whether the broker
// let it.
func (p *platform) as(user wallettest.BrokerUser, do func(*amqp.Channel) error) (allowed bool) {
	p.t.Helper()
	conn, err := amqp.Dial(p.broker.URL(p.t, user))
	require.NoError(p.t, err)
	defer conn.Close()
	ch, err := conn.Channel()
	require.NoError(p.t, err)
	if err = do(ch); err == nil {
		return true
	}
	var refused *amqp.Error
	require.ErrorAs(p.t, err, &refused)
	require.Equal(p.t, amqp.AccessRefused, refused.Code, err)
	return false
}

// publishTo waits for the broker's word: a publication without the right to it
// closes the channel.
func publishTo(exchange, key string) func(*amqp.Channel) error {
	return func(ch *amqp.Channel) error {
		closed := ch.NotifyClose(make(chan *amqp.Error, 1))
		if err := ch.Confirm(false); err != nil {
			return err
		}
		confirmed, err := ch.PublishWithDeferredConfirm(exchange, key, false, false, amqp.Publishing{Body: []byte("{}")})
		if err != nil {
			return err
		}
		select {
		case <-confirmed.Done():
			return nil
		case refused := <-closed:
			return refused
		}
	}
}

func consume(queue string) func(*amqp.Channel) error {
	return func(ch *amqp.Channel) error {
		_, err := ch.Consume(queue, "spy", false, false, false, false, nil)
		return err
	}
}

func purge(queue string) func(*amqp.Channel) error {
	return func(ch *amqp.Channel) error {
		_, err := ch.QueuePurge(queue, false)
		return err
	}
}

func remove(queue string) func(*amqp.Channel) error {
	return func(ch *amqp.Channel) error {
		_, err := ch.QueueDelete(queue, false, false, false)
		return err
	}
}

func declare(queue string) func(*amqp.Channel) error {
	return func(ch *amqp.Channel) error {
		_, err := ch.QueueDeclare(queue, true, false, false, false, amqp.Table{"x-queue-type": "quorum"})
		return err
	}
}

// copyInto binds a queue of one's own to an exchange, to read along.
func copyInto(queue, exchange string) func(*amqp.Channel) error {
	return func(ch *amqp.Channel) error { return ch.QueueBind(queue, "#", exchange, false, nil) }
}

// Each service has what it needs of the broker and nothing of another's: what
// a stolen login of one could send would otherwise be taken for the other's.
func TestRights_OfTheBrokersUsers(t *testing.T) {
	t.Parallel()
	p := newRunning(t, nil)
	const casino, gaming, worker = wallettest.CasinoBroker, wallettest.GamingBroker, wallettest.WorkerBroker
	for _, user := range []wallettest.BrokerUser{casino, gaming, worker} {
		for name, c := range map[string]struct {
			do    func(*amqp.Channel) error
			owner wallettest.BrokerUser
		}{
			"ask gaming to credit":    {publishTo("gaming.rpc", "nothing"), casino},
			"say a webhook came":      {publishTo("casino.webhooks", "nothing"), casino},
			"raise an event":          {publishTo("casino.events", "nothing"), casino},
			"write casino's dead":     {publishTo("casino.dlx", ""), casino},
			"write gaming's dead":     {publishTo("gaming.dlx", ""), gaming},
			"take a credit":           {consume("gaming.calls"), gaming},
			"take a webhook":          {consume("casino.notifications"), casino},
			"take an effect":          {consume("casino.effects.promotions"), casino},
			"take gaming's dead":      {consume("gaming.dead"), gaming},
			"take casino's dead":      {consume("casino.dead"), casino},
			"make a queue of gaming":  {declare("gaming.mine"), gaming},
			"make a queue of casino":  {declare("casino.mine"), casino},
			"make a queue of worker":  {declare("worker.mine"), worker},
			"make a queue of nobody":  {declare("mine"), ""},
			"read along with gaming":  {copyInto("worker.mine", "gaming.rpc"), ""},
			"read along with casino":  {copyInto("worker.mine", "casino.webhooks"), ""},
			"empty gaming's queue":    {purge("gaming.mine"), gaming},
			"empty casino's queue":    {purge("casino.mine"), casino},
			"delete gaming's queue":   {remove("gaming.mine"), gaming},
			"delete casino's queue":   {remove("casino.mine"), casino},
			"write past the exchange": {publishTo("", "nobody.waits"), gaming}, // it replies by it
		} {
			p.prepare()
			require.Equal(t, user == c.owner, p.as(user, c.do), "%s may %s", user, name)
		}
	}
}

// prepare makes the queues that are emptied, deleted or bound.
func (p *platform) prepare() {
	p.t.Helper()
	for _, queue := range []string{"gaming.mine", "casino.mine", "worker.mine"} {
		require.True(p.t, p.as(wallettest.AdminBroker, declare(queue)))
	}
}

// Neither service can see or change anything in the other's schema, table by
// table, nor can those that only look change anything in either.
func TestRights_OfTheDatabasesRoles(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, nil)
	for _, c := range []struct {
		role   wallettest.Role
		schema string
		reads  bool
	}{
		{wallettest.Casino, "gaming", false},
		{wallettest.Gaming, "casino", false},
		{wallettest.Worker, "gaming", true},
		{wallettest.Worker, "casino", true},
		{wallettest.Auditor, "gaming", true},
		{wallettest.Auditor, "casino", true},
	} {
		conn, err := pgx.Connect(t.Context(), p.db.URL(t, c.role))
		require.NoError(t, err)
		t.Cleanup(func() { _ = conn.Close(context.Background()) })
		tables := p.texts(`select table_name::text from information_schema.tables where table_schema = $1 order by 1`, c.schema)
		require.NotEmpty(t, tables)
		for _, table := range tables {
			name := c.schema + "." + table
			for _, statement := range []string{
				fmt.Sprintf(`insert into %s default values`, name), fmt.Sprintf(`delete from %s`, name), fmt.Sprintf(`truncate %s`, name),
			} {
				requireDenied(t, conn, c.role, statement)
			}
			if !c.reads {
				requireDenied(t, conn, c.role, fmt.Sprintf(`select * from %s`, name))
			}
		}
		if !c.reads {
			requireDenied(t, conn, c.role, fmt.Sprintf(`create table %s.mine (id int)`, c.schema))
		}
	}
	casino, err := pgx.Connect(t.Context(), p.db.URL(t, wallettest.Casino))
	require.NoError(t, err)
	t.Cleanup(func() { _ = casino.Close(context.Background()) })
	requireDenied(t, casino, wallettest.Casino, `select gaming.freeze_brand('bravo', true, 'a rival')`)
	requireDenied(t, casino, wallettest.Casino, `set role gaming`)
	requireDenied(t, casino, wallettest.Casino, `set role wallet_owner`)
}

func requireDenied(t *testing.T, conn *pgx.Conn, role wallettest.Role, statement string) {
	t.Helper()
	_, err := conn.Exec(t.Context(), statement)
	var refused *pgconn.PgError
	require.True(t, errors.As(err, &refused), "%s may %s", role, statement)
	require.Equal(t, "42501", refused.Code, "%s: %s: %s", role, statement, refused.Message)
}
