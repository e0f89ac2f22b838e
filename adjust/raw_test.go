package adjust_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/adjust"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// forbidden is what nobody may do by hand, whatever the SQL. :mine stands for a
// request of the login's own, :other for mary's or miro's, :posted for one that
// is posted, :me for the login and :wallet for the wallet. What a statement
// would do is undone by a rollback, so that each is tried on its own.
var forbidden = map[string]string{
	"an adjustment past the function": `
insert into gaming.adjustments (id, wallet_id, brand_id, user_id, currency, real, bonus, reason, ticket, note, allow_debt,
  needs_two, requested_by, requested_at, expires_at)
values ('adj_' || repeat('0', 32), ':wallet', 'acme', 'u-1', 'EUR', 5, 0, 'goodwill', 'T', '', false, false, 'somebody',
  now(), now() + interval '1 hour')`,
	"an approval past the function": `
insert into gaming.adjustment_steps (adjustment_id, at, actor, step, alone) values (':other', now(), 'somebody', 'approved', true)`,
	"an approval of one's own past the function": `
insert into gaming.adjustment_steps (adjustment_id, at, actor, step, alone) values (':mine', now(), 'somebody', 'approved', true)`,
	"a rejection past the function": `
insert into gaming.adjustment_steps (adjustment_id, at, actor, step, alone, note)
values (':other', now(), 'somebody', 'rejected', false, 'no')`,
	"the end of what is posted": `
insert into gaming.adjustment_steps (adjustment_id, at, actor, step, alone) values (':posted', now(), 'gaming', 'refused', false)`,
	"another amount":            `update gaming.adjustments set real = 500 where id = ':mine'`,
	"another reason":            `update gaming.adjustments set reason = 'chargeback'`,
	"another requester":         `update gaming.adjustments set requested_by = 'somebody' where id = ':mine'`,
	"more time":                 `update gaming.adjustments set expires_at = now() + interval '9 days'`,
	"hiding a request":          `delete from gaming.adjustments where id = ':mine'`,
	"hiding all of them":        `truncate gaming.adjustments cascade`,
	"another approver":          `update gaming.adjustment_steps set actor = 'somebody'`,
	"hiding a step":             `delete from gaming.adjustment_steps where adjustment_id = ':mine'`,
	"hiding all steps":          `truncate gaming.adjustment_steps`,
	"hiding a change of limits": `delete from gaming.adjustment_limit_changes`,
	"truncating the limits":     `truncate gaming.adjustment_limits`,
	"approving one's own":       `select gaming.approve_adjustment(':mine', '', 'h', 'c')`,
	"rejecting what is posted":  `select gaming.reject_adjustment(':posted', 'no', 'h', 'c')`,
	"cancelling another's":      `select gaming.cancel_adjustment(':other', '', 'h', 'c')`,
	"cancelling what is posted": `select gaming.cancel_adjustment(':posted', '', 'h', 'c')`,
	"refusing what is not approved": `
select gaming.refuse_adjustment(':other', 'no', 'h', 'c')`,
	"refusing what is posted": `select gaming.refuse_adjustment(':posted', 'no', 'h', 'c')`,
	"more than 8 places": `
select gaming.request_adjustment('adj_' || repeat('1', 32), ':wallet', 5.000000001, 0, 'goodwill', 'T', '', null, null, false,
  '1 hour', 'h', 'c')`,
	"real and bonus": `
select gaming.request_adjustment('adj_' || repeat('2', 32), ':wallet', 5, 5, 'goodwill', 'T', '', null, null, false, '1 hour', 'h', 'c')`,
	"NaN": `
select gaming.request_adjustment('adj_' || repeat('3', 32), ':wallet', 'NaN', 0, 'goodwill', 'T', '', null, null, false,
  '1 hour', 'h', 'c')`,
	"a debt by a credit": `
select gaming.request_adjustment('adj_' || repeat('4', 32), ':wallet', 5, 0, 'goodwill', 'T', '', null, null, true, '1 hour', 'h', 'c')`,
	"a request for ever": `
select gaming.request_adjustment('adj_' || repeat('5', 32), ':wallet', 5, 0, 'goodwill', 'T', '', null, null, false,
  '31 days', 'h', 'c')`,
	"a request that has expired": `
select gaming.request_adjustment('adj_' || repeat('6', 32), ':wallet', 5, 0, 'goodwill', 'T', '', null, null, false,
  '-1 hour', 'h', 'c')`,
	"an id of another form": `
select gaming.request_adjustment('d-1', ':wallet', 5, 0, 'goodwill', 'T', '', null, null, false, '1 hour', 'h', 'c')`,
	"a request in an old snapshot": `
set transaction isolation level repeatable read;
select gaming.request_adjustment('adj_' || repeat('7', 32), ':wallet', 5, 0, 'goodwill', 'T', '', null, null, false,
  '1 hour', 'h', 'c')`,
	"a step in an old snapshot": `
set transaction isolation level serializable;
select gaming.reject_adjustment(':other', 'no', 'h', 'c')`,
	"an entry without an approval": forgedEntry(":mine", "5"),
	"an entry of another's":        forgedEntry(":other", "5"),
	"an entry of nothing":          forgedEntry("adj_none", "5"),
	"the same entry again":         forgedEntry(":posted", "5"),
}

// forbiddenToPeople is what only the owner or a superuser of the database could
// do, which no person is.
var forbiddenToPeople = map[string]string{
	"raising one's limits":      `update gaming.adjustment_limits set per_adjustment = 1000000`,
	"adding a limit":            `insert into gaming.adjustment_limits values (':me', 'approve', '*', 1000000, 1000000, true)`,
	"adding a reason":           `insert into gaming.adjustment_reasons values ('whim', 'a whim')`,
	"switching a trigger off":   `alter table gaming.adjustment_steps disable trigger adjustment_steps_checked`,
	"switching all off":         `alter table gaming.entries disable trigger all`,
	"replaying as a replica":    `set session_replication_role = replica`,
	"another function":          `create or replace function gaming.is_approved(text) returns boolean language sql as 'select true'`,
	"a function before another": `create function gaming.hashtextextended(text, bigint) returns bigint language sql as 'select 1::bigint'`,
	"becoming gaming":           `set role gaming`,
	"becoming the owner":        `set role wallet_owner`,
	"becoming another":          `set session authorization gaming`,
	"lifting oneself":           `grant supervisor to ":me"`,
	"telling of a request":      `select gaming.note_adjustment_told(':mine')`,
	"taking a notice":           `select gaming.take_adjustment_notice()`,
	"hiding a notice":           `insert into gaming.adjustment_notices values (':mine', 1, now(), now())`,
	"asking whether it fits":    `select gaming.is_adjustment(':wallet', ':mine', ':me', 0, 5, 0, 0)`,
	"judging an approval":       `select gaming.check_approval(a) from gaming.adjustments a`,
}

// forgedEntry moves the wallet by an adjustment, all else in order.
func forgedEntry(id, amount string) string {
	return strings.NewReplacer("ID", id, "AMOUNT", amount).Replace(`
with moved as (
  update gaming.wallets set real = real + AMOUNT, seq = seq + 1 where user_id = 'u-1' returning *)
insert into gaming.entries (wallet_id, seq, kind, external_id, real_before, real_after,
  bonus_before, bonus_after, actor, occurred_at, recorded_at, hash, key_id)
select id, seq, 'adjustment', 'ID', real - AMOUNT, real, bonus, bonus,
  coalesce((select requested_by from gaming.adjustments where id = 'ID'), 'me'), now(), now(), head, 1
from moved`)
}

// refusals are the ways in which the database says no: privilege, check, unique
// key, trigger, a rule of adjustments. Anything else is a mistake in the test.
var refusals = []string{"42501", "23514", "23505", "WL001", "WL002", "WA001", "WA002", "WA003"}

func (s *suite) requireRefused(pool *pgxpool.Pool, name, statement string) {
	s.Helper()
	tx, err := pool.Begin(s.Context())
	require.NoError(s, err)
	defer func() { require.NoError(s, tx.Rollback(s.Context())) }()
	_, err = tx.Exec(s.Context(), statement, pgx.QueryExecModeSimpleProtocol)
	var refused *pgconn.PgError
	require.ErrorAs(s, err, &refused, "%s went through: %s", name, statement)
	require.Contains(s, refusals, refused.Code, "%s failed for another reason: %v", name, err)
}

func TestRawSQL_NobodyGetsPastTheFunctions(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	posted := s.adjust(s.real("5")).ID
	logins := map[string]person{
		"support": s.mary, "another of support": s.miro, "supervisor": s.sue, "another supervisor": s.sam,
		"oncall": s.olga, "no member": s.nobody,
		"gaming":  {Desk: adjust.Desk{Pool: s.db.Pool(t, wallettest.Gaming)}, name: "gaming"},
		"auditor": {Desk: adjust.Desk{Pool: s.auditor}, name: "auditor"},
		"worker":  {Desk: adjust.Desk{Pool: s.db.Pool(t, wallettest.Worker)}, name: "worker"},
		"casino":  {Desk: adjust.Desk{Pool: s.db.Pool(t, wallettest.Casino)}, name: "casino"},
		"owner":   {Desk: adjust.Desk{Pool: s.db.Pool(t, wallettest.Owner)}, name: "wallet_owner"},
	}
	for who, login := range logins {
		mine, other := s.request(s.mary, s.real("5")), s.request(s.miro, s.real("5"))
		if slices.Contains([]string{s.miro.name, s.sue.name, s.sam.name}, login.name) {
			mine, other = s.request(login, s.real("5")), mine
		}
		replace := strings.NewReplacer(":mine", mine, ":other", other, ":posted", posted, ":wallet", s.wallet.ID().String(),
			":me", login.name)
		for name, statement := range forbidden {
			s.requireRefused(login.Pool, who+": "+name, replace.Replace(statement))
		}
		for name, statement := range forbiddenToPeople {
			if who == "owner" || (who == "gaming" && slices.Contains(gamingMay, name)) {
				continue
			}
			s.requireRefused(login.Pool, who+": "+name, replace.Replace(statement))
		}
	}
	require.Equal(t, 1, s.count(`select count(*) from gaming.adjustment_steps where step <> 'requested'`))
	s.requireBalance("105", "0", "0")
	s.requireSound()
}

// gamingMay lists what is gaming's own to do.
var gamingMay = []string{"becoming gaming", "becoming another", "telling of a request", "taking a notice", "asking whether it fits"}
