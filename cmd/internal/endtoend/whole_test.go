package endtoend_test

import (
	"encoding/json"
	"os"
	"os/exec"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// expected is what a test leaves behind that is not as on a quiet day.
type expected struct {
	cases      []string // kinds of the cases that are open, sorted
	casinoDead int      // dead letters of casino that wait for a person
	gamingDead int      // and of gaming
	// repeatedEffects: a process or the broker died between publishing an
	// effect and noting it, so the same message may be there again.
	repeatedEffects bool
}

// requireWhole asserts what must hold at the end of every test, once the paid
// deposits are CREDITED and their effects published.
func (p *platform) requireWhole(paid []deposit, e expected) {
	p.t.Helper()
	p.waitCredited(paid)
	p.waitQuiet()
	p.requireCreditedOnce(paid)
	p.requireEffects(paid, e.repeatedEffects)
	p.requireDeadLetters(e)
	require.Equal(p.t, e.cases, p.texts(`select kind::text from casino.cases where closed_at is null order by kind`), "open cases")
	wallettest.RequireClosed(p.t, p.admin, p.keys)
	p.requireChainCheck()
	for _, log := range p.logs {
		log.requireSecretsKept(p.t, p.secrets())
	}
}

// waitCredited returns when every deposit is CREDITED.
func (p *platform) waitCredited(paid []deposit) {
	p.t.Helper()
	const missing = `
select count(*) from unnest($1::text[]) id
where not exists (select from casino.deposits d where d.id = id.id and d.status = 'credited')`
	await(p.t, "every paid deposit to be credited", func() bool { return p.count(missing, ids(paid)) == 0 })
}

// waitQuiet returns when nothing is left to do: no effect to publish, no message
// that waits for its deposit or for a consumer.
func (p *platform) waitQuiet() {
	p.t.Helper()
	const open = `
select (select count(*) from casino.effects where published_at is null)
  + (select count(*) from casino.gateway_messages where result = 'unmatched')`
	await(p.t, "effects and messages to be settled", func() bool { return p.count(open) == 0 })
	p.broker.WaitForDepth(p.t, "casino.notifications", 0)
	p.broker.WaitForDepth(p.t, "gaming.calls", 0)
}

// requireCreditedOnce asserts that the paid deposits moved money once, by their
// own amount and into their own wallet, and that nothing else did.
func (p *platform) requireCreditedOnce(paid []deposit) {
	p.t.Helper()
	const wrong = `
select d.id from casino.deposits d
where d.id = any ($1) and 1 <> (
  select count(*) from gaming.entries e join gaming.wallets w on w.id = e.wallet_id
  where e.external_id = d.id and e.kind = 'deposit' and e.real_after - e.real_before = d.amount
    and (w.brand_id, w.user_id, w.currency) = (d.brand_id, d.user_id, d.currency)
    and (e.wallet_id, e.seq) = (d.receipt_wallet_id, d.receipt_seq))`
	require.Empty(p.t, p.texts(wrong, ids(paid)), "deposits without exactly one entry of their own")
	require.Equal(p.t, len(paid), p.count(`select count(*) from gaming.entries where kind <> 'opening'`), "entries in all")
	require.Equal(p.t, len(paid), p.count(`select count(*) from casino.deposits where status = 'credited'`), "credited in all")
}

// requireEffects asserts that promotions and affiliates were told of each paid
// deposit once.
func (p *platform) requireEffects(paid []deposit, repeated bool) {
	p.t.Helper()
	for _, effect := range []string{"promotions", "affiliates"} {
		messages := p.broker.Drain(p.t, "casino.effects."+effect)
		told := map[string]string{} // the deposit by message id
		for _, m := range messages {
			var body struct {
				DepositID string `json:"deposit_id"`
			}
			require.NoError(p.t, json.Unmarshal(m.Body, &body))
			told[m.MessageId] = body.DepositID
		}
		var about []string
		for _, id := range told {
			about = append(about, id)
		}
		require.ElementsMatch(p.t, ids(paid), about, "%s were not told of each deposit once", effect)
		if !repeated {
			require.Len(p.t, messages, len(paid), "%s were told twice", effect)
		}
	}
}

// requireChainCheck runs the operators' own check on the replica.
func (p *platform) requireChainCheck() {
	p.t.Helper()
	wallettest.WaitForReplica(p.t)
	output, err := p.walletctl("chaincheck", "--all", "--max-lag", "5m", "-o", "json")
	require.NoError(p.t, err, string(output))
}

// walletctl runs a command and returns what it wrote. The error is not nil
// unless it exits with 0.
func (p *platform) walletctl(arguments ...string) ([]byte, error) {
	p.t.Helper()
	command := exec.CommandContext(p.t.Context(), binary(p.t, "walletctl"), arguments...)
	command.Env = append(os.Environ(),
		"DATABASE_REPLICA_URL="+p.db.URL(p.t, wallettest.Replica),
		"CASINO_DATABASE_URL="+p.db.URL(p.t, wallettest.Casino))
	return command.CombinedOutput()
}

func ids(deposits []deposit) []string {
	all := make([]string, len(deposits))
	for i, d := range deposits {
		all[i] = d.ID
	}
	return all
}
