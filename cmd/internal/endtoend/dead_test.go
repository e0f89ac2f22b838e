package endtoend_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/wallettest"
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
		// The reasons of two may hold the same words; their bodies differ.
		body := m.Body[:min(len(m.Body), 1<<20)]
		found := slices.IndexFunc(all, func(l letter) bool {
			return strings.Contains(l.reason, reason) && bytes.Equal(l.body, body)
		})
		require.GreaterOrEqual(p.t, found, 0, "no dead letter of %.100q with the reason %q", body, reason)
		require.Equal(p.t, from, all[found].queue)
	}
}

// walletctlAs runs a command with a person's own login, and returns what it
// wrote and its exit code.
func (p *platform) walletctlAs(person wallettest.Person, arguments ...string) (string, int) {
	p.t.Helper()
	command := exec.CommandContext(p.t.Context(), binary(p.t, "walletctl"), arguments...)
	url := p.db.URLOf(p.t, person)
	command.Env = append(os.Environ(), "CASINO_DATABASE_URL="+url, "GAMING_DATABASE_URL="+url)
	output, err := command.CombinedOutput()
	if err != nil {
		require.ErrorAs(p.t, err, new(*exec.ExitError))
	}
	return string(output), command.ProcessState.ExitCode()
}

// A webhook that casino cannot apply, whatever it is tried, is given up by the
// broker, kept, and applied once when the cause is repaired.
func TestDead_AWebhookIsAppliedOnceWhenItIsSentAgainAfterTheRepair(t *testing.T) {
	t.Parallel()
	p := newRunning(t, nil)
	ana := wallettest.NewPerson(t, "ana", "oncall")
	p.exec(`alter table casino.gateway_messages add constraint broken check (amount < 0) not valid`)
	d := p.create(order{})
	p.pay(d)
	dead := p.waitDead("casino", 1)[0]
	require.Equal(t, "casino.notifications", dead.queue)
	require.Equal(t, "casino", dead.userID)
	require.Contains(t, dead.reason, "delivery_limit")
	require.Equal(t, "pending", p.status(d))
	p.exec(`alter table casino.gateway_messages drop constraint broken`)
	p.casino.Load().Kill() // and what was asked for meanwhile is sent by the next
	output, code := p.walletctlAs(ana, "dead", "requeue", "--all", "--yes", "--note", "repaired", "--timeout", "1s")
	require.Equal(t, 8, code, output)
	p.startCasino(nil)
	p.requireWhole([]deposit{d}, expected{})

	output, code = p.walletctlAs(ana, "dead", "requeue", fmt.Sprint("casino-", dead.id), "--note", "again")
	require.Equal(t, 1, code, output)
	require.Contains(t, output, "was requeued by "+ana.Name)
	output, code = p.walletctlAs(ana, "dead", "list", "--state", "requeued", "-o", "csv")
	require.Equal(t, 0, code, output)
	require.Equal(t, 2, strings.Count(output, "\n"), output)
}
