package replay_test

import (
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/replay"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// TestDesk_WhoMayActAndWhoMayNot asks each function as each kind of person.
func TestDesk_WhoMayActAndWhoMayNot(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	s := b.stuck("10")
	gaming := b.gamingCase()
	for _, c := range []struct {
		role string
		may  bool
	}{{"oncall", true}, {"supervisor", true}, {"support", false}, {"auditor", false}, {"worker", false}, {"", false}} {
		roles := []string{c.role}
		if c.role == "" {
			roles = nil
		}
		desk := b.desk("bea", roles...)
		for _, ref := range []replay.Ref{b.waitCase(s, "credit_exhausted"), gaming} {
			for what, act := range map[string]func() error{
				"note":    func() error { return desk.Note(t.Context(), ref, "I look at it") },
				"claim":   func() error { return desk.Claim(t.Context(), ref, true) },
				"release": func() error { return desk.Release(t.Context(), ref) },
			} {
				if what == "release" && c.may {
					require.NoError(t, desk.Claim(t.Context(), ref, true))
				}
				requireMay(t, c.may, act(), c.role+" "+what)
			}
		}
		for _, subject := range []replay.Subject{
			s, {Type: replay.Withdrawal, ID: "wd_1"}, {Type: replay.Effect, ID: s.ID + "/promotions"},
		} {
			_, err := desk.DryRun(t.Context(), subject)
			requireMay(t, c.may, err, c.role+" dry-runs "+subject.Type)
			_, err = desk.Send(t.Context(), subject, "drill")
			requireMay(t, c.may, err, c.role+" replays "+subject.Type)
		}
		if !c.may {
			requireMay(t, false, desk.Resolve(t.Context(), gaming, "drill"), c.role+" resolves")
		}
	}
}

func requireMay(t *testing.T, may bool, err error, what string) {
	t.Helper()
	if may {
		require.NoError(t, err, what)
		return
	}
	require.ErrorIs(t, err, replay.ErrForbidden, what)
}

// gamingCase opens a case of the wallet's own, as gaming does.
func (b *bench) gamingCase() replay.Ref {
	b.t.Helper()
	var number int64
	require.NoError(b.t, b.db.Pool(b.t, wallettest.Gaming).QueryRow(b.t.Context(), `
insert into gaming.cases (brand_id, subject_type, subject_id, kind, cause, detail)
values ('north', 'movement', 'games:tx-1', 'key_conflict', 'call', '{}')
returning id`).Scan(&number))
	return replay.Ref{Schema: "gaming", Number: number}
}

// TestDesk_NoSQLOfAPersonGoesAroundTheFunctions tries what a person on call could
// type into psql.
func TestDesk_NoSQLOfAPersonGoesAroundTheFunctions(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	s := b.stuck("10")
	_, err := b.ana.Send(t.Context(), s, "drill")
	require.NoError(t, err)
	b.gamingCase()
	for _, statement := range []string{
		`update casino.cases set owner = 'bea', claimed_at = now()`,
		`update casino.cases set closed_at = now(), resolution = 'x'`,
		`delete from casino.cases`,
		`insert into casino.case_events (case_id, kind, note) values (1, 'noted', 'x')`,
		`update casino.case_events set actor = 'bea'`,
		`delete from casino.case_events`,
		`truncate casino.case_events`,
		`insert into casino.replays (actor, subject_type, subject_id, outcome, why) values ('bea', 'deposit', 'd', 'done', 'x')`,
		`update casino.replays set actor = 'bea'`,
		`delete from casino.replays`,
		`update casino.deposits set status = 'credited'`,
		`update casino.deposits set next_attempt_at = now()`,
		`update casino.withdrawals set next_attempt_at = now()`,
		`update casino.effects set published_at = now()`,
		`insert into casino.deposit_events (deposit_id, kind) values ('` + s.ID + `', 'replayed')`,
		`update casino.river_job set state = 'available'`,
		`delete from casino.river_job`,
		`select casino.work_again(1)`,
		`select casino.lock_case(1, false)`,
		`select casino.tell_case()`,
		`select gaming.lock_case(1, false)`,
		`update gaming.cases set closed_at = now(), resolution = 'x'`,
		`delete from gaming.case_events`,
		`set role casino`,
		`set session authorization casino`,
	} {
		_, err := b.ana.Casino.Exec(t.Context(), statement)
		var refused *pgconn.PgError
		require.ErrorAs(t, err, &refused, statement)
		require.Equal(t, "42501", refused.Code, statement)
	}
	// Not even the owner rewrites what was done.
	for _, statement := range []string{
		`update casino.replays set actor = 'bea'`, `delete from casino.case_events`, `truncate casino.replays`,
		`delete from gaming.case_events`, `delete from gaming.cases`,
	} {
		_, err := b.db.Pool(t, wallettest.Owner).Exec(t.Context(), statement)
		require.ErrorContains(t, err, "is refused", statement)
	}
}

func TestDesk_WhoeverReadsSeesTheWholeStory(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	s := b.stuck("10")
	for _, role := range []string{"oncall", "supervisor", "support", "auditor", "worker"} {
		desk := b.desk("bea", role)
		items, err := desk.Stuck(t.Context(), replay.StuckFilter{})
		require.NoError(t, err)
		require.Len(t, items, 1, role)
		story, err := desk.Explain(t.Context(), s)
		require.NoError(t, err)
		require.Empty(t, story.Missing, role)
		_, err = desk.Cases(t.Context(), replay.CaseFilter{})
		require.NoError(t, err)
	}
	_, err := b.desk("nobody").Stuck(t.Context(), replay.StuckFilter{})
	require.ErrorContains(t, err, "permission denied")
}
