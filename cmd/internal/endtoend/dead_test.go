package endtoend_test

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"
)

// letter is a dead letter that waits for a person.
type letter struct {
	id                               int64
	queue, userID, messageID, reason string
	body                             []byte
}

// letters returns the dead letters of a schema that wait for a person.
func (p *platform) letters(schema string) []letter {
	p.t.Helper()
	rows, err := p.admin.Query(context.Background(), fmt.Sprintf(`
select id, queue, user_id, message_id, reason, body from %s.dead_letters where state = 'kept' order by id`, schema))
	require.NoError(p.t, err)
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (letter, error) {
		var l letter
		err := row.Scan(&l.id, &l.queue, &l.userID, &l.messageID, &l.reason, &l.body)
		return l, err
	})
	require.NoError(p.t, err)
	return all
}

// waitDead returns the dead letters of a schema once there are as many.
func (p *platform) waitDead(schema string, n int) []letter {
	p.t.Helper()
	var all []letter
	await(p.t, fmt.Sprintf("%d dead letters of %s", n, schema), func() bool {
		all = p.letters(schema)
		return len(all) == n
	})
	return all
}

// requireDeadLetters asserts that as many dead letters wait for a person, and
// none to be kept.
func (p *platform) requireDeadLetters(e expected) {
	p.t.Helper()
	p.broker.WaitForDepth(p.t, "casino.dead", 0)
	p.broker.WaitForDepth(p.t, "gaming.dead", 0)
	require.Len(p.t, p.letters("casino"), e.casinoDead, "dead letters of casino")
	require.Len(p.t, p.letters("gaming"), e.gamingDead, "dead letters of gaming")
}

// requireDead asserts that each message became a dead letter of its queue, with
// the reason that it was sent for.
func (p *platform) requireDead(schema, from string, sent map[string]amqp.Publishing) {
	p.t.Helper()
	all := p.waitDead(schema, len(sent))
	for reason, m := range sent {
		found := slices.IndexFunc(all, func(l letter) bool { return strings.Contains(l.reason, reason) })
		require.GreaterOrEqual(p.t, found, 0, "no dead letter with the reason %q among %v", reason, all)
		require.Equal(p.t, from, all[found].queue)
		require.Equal(p.t, m.Body[:min(len(m.Body), 1<<20)], all[found].body)
	}
}
