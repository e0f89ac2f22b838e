package deadletter_test

import (
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/deadletter"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

func TestRules_NobodyChangesOrDeletesALetter(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	s.keep(t, sample("m-1"))
	s.keep(t, sample("m-2"))
	_, err := s.ana.Exec(t.Context(), `select casino.discard_dead(2, 'of a test')`)
	require.NoError(t, err)
	for code, statements := range map[string][]string{
		"WC002": {
			`update casino.dead_letters set state = 'discarded' where id = 1`,
			`update casino.dead_letters set state = 'requeue_asked', handled_by = 'bob', handled_at = now(), note = 'n' where id = 1`,
			`update casino.dead_letters set state = 'requeued' where id = 1`,
			`update casino.dead_letters set state = 'kept' where id = 2`,
			`update casino.dead_letters set note = 'another' where id = 2`,
		},
		"WD001": {
			`delete from casino.dead_letters`, `truncate casino.dead_letters cascade`,
			`update casino.dead_letters set body = '', body_size = 0, state = 'discarded', handled_by = session_user,
				handled_at = now(), note = 'n' where id = 1`,
			`delete from casino.dead_letter_events`, `update casino.dead_letter_events set actor = 'bob'`,
		},
	} {
		for _, statement := range statements {
			_, err := s.admin.Exec(t.Context(), statement)
			requireCode(t, err, code)
		}
	}
}

func TestRules_TheServiceActsForNobody(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	s.keep(t, sample("m-1"))
	for _, statement := range []string{
		`select casino.requeue_dead(1, 'n')`, `select casino.discard_dead(1, 'n')`, `delete from casino.dead_letters`,
		`update casino.dead_letters set handled_by = 'ana' where id = 1`, `update casino.dead_letters set body = '' where id = 1`,
		`insert into casino.dead_letter_events (letter_id, state) values (1, 'requeued')`,
	} {
		_, err := s.Pool.Exec(t.Context(), statement)
		requireCode(t, err, "42501")
	}
	// Nor can it take up what a person asked for once.
	s.ask(t, 1)
	_, err := s.Pool.Exec(t.Context(), `update casino.dead_letters set state = 'kept', error = 'no' where id = 1`)
	require.NoError(t, err)
	for _, statement := range []string{
		`update casino.dead_letters set state = 'requeue_asked', error = null where id = 1`,
		`update casino.dead_letters set state = 'discarded', error = null where id = 1`,
	} {
		_, err := s.Pool.Exec(t.Context(), statement)
		requireCode(t, err, "WC002")
	}
}

func TestRules_WhoReadsWhatMayBePersonal(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	for _, c := range []struct {
		pool  *pgxpool.Pool
		whole bool
		acts  bool
	}{
		{s.ana, true, true},
		{s.db.PoolOf(t, wallettest.NewPerson(t, "sue", "supervisor")), true, true},
		{s.db.PoolOf(t, wallettest.NewPerson(t, "sam", "support")), false, false},
		{s.db.Pool(t, wallettest.Auditor), true, false},
		{s.db.Pool(t, wallettest.Worker), false, false},
	} {
		for _, schema := range []string{"casino", "gaming"} {
			_, err := c.pool.Exec(t.Context(), `select id, reason, note from `+schema+`.dead_letters`)
			require.NoError(t, err)
			for _, column := range []string{"body", "headers"} {
				_, err = c.pool.Exec(t.Context(), `select `+column+` from `+schema+`.dead_letters`)
				if c.whole {
					require.NoError(t, err)
				} else {
					requireCode(t, err, "42501")
				}
			}
			_, err = c.pool.Exec(t.Context(), `select `+schema+`.discard_dead(99, 'n')`)
			if c.acts {
				requireCode(t, err, "P0002")
			} else {
				requireCode(t, err, "42501")
			}
		}
	}
}

func TestRules_GamingKeepsLettersAndACallIsNotSentAgain(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	gaming := &deadletter.Store{Pool: s.db.Pool(t, wallettest.Gaming), Schema: "gaming"}
	isNew, err := gaming.Keep(t.Context(), sample("m-1"))
	require.NoError(t, err)
	require.True(t, isNew)
	isNew, err = gaming.Keep(t.Context(), sample("m-1"))
	require.NoError(t, err)
	require.False(t, isNew)
	_, err = s.ana.Exec(t.Context(), `select gaming.requeue_dead(1, 'go')`)
	requireCode(t, err, "WC003")
	require.ErrorContains(t, err, "replay the deposit or the withdrawal instead")
	_, err = s.ana.Exec(t.Context(), `select gaming.discard_dead(1, 'replayed the deposit')`)
	require.NoError(t, err)
	_, err = s.ana.Exec(t.Context(), `select gaming.requeue_dead(1, 'go')`)
	requireCode(t, err, "WC001")
}
