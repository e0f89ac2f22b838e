package history_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/backfill/history"
	"github.com/walletctl/walletctl/chaincheck"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/record"
)

func (s *suite) verify() history.Report {
	s.Helper()
	r, err := history.Verify(s.Context(), s.pool, s.keys, legacy)
	require.NoError(s, err)
	return r
}

func (s *suite) check() chaincheck.Report {
	s.Helper()
	r, err := chaincheck.Run(s.Context(), chaincheck.Deps{Pool: s.owner, Keys: s.keys}, chaincheck.Options{All: true})
	require.NoError(s, err)
	return r
}

func TestVerify_ProvesWhatTheSourceHeld(t *testing.T) {
	t.Parallel()
	p := live(5, 12, 50)
	s := newSuite(t, p)
	text := p.csv() + p.movements[3].line() + "\n" + p.movements[3].line() + "\n"
	_, err := s.run(text, byTime, func(o *history.Options) { o.Mapping.Duplicates = record.DuplicatesSkipped })
	require.NoError(t, err)
	r := s.verify()
	require.True(t, r.Proved(), "%+v", r)
	require.EqualValues(t, 600, r.Entries)
	require.EqualValues(t, 600, r.Chain.Verified)
	require.EqualValues(t, 12, r.Whole)
	require.EqualValues(t, 2, r.Imports[0].LeftOut[0].Count)
	require.Empty(t, s.check().Findings)
}

// Whoever owns the database can switch its triggers off; the check still sees
// what was done.
func TestVerify_SeesEachBreak(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		plant string
		found chaincheck.Kind
	}{
		"an amount":            {`update gaming.entries set real_after = real_after + 1 where wallet_id = $1 and seq = -10`, chaincheck.KindArithmetic},
		"a field":              {`update gaming.entries set reference = 'x' where wallet_id = $1 and seq = -10`, chaincheck.KindHash},
		"a direction":          {`update gaming.entries set kind = 'bonus_forfeit' where wallet_id = $1 and seq = -30`, chaincheck.KindSign},
		"a hole":               {`delete from gaming.entries where wallet_id = $1 and seq = -10`, chaincheck.KindHole},
		"the beginning is cut": {`delete from gaming.entries where wallet_id = $1 and seq < -20`, chaincheck.KindHash},
		"the end is cut":       {`delete from gaming.entries where wallet_id = $1 and seq between -5 and -1`, chaincheck.KindHole},
		"all of it":            {`delete from gaming.entries where wallet_id = $1 and seq < 0`, chaincheck.KindHistory},
		"with its part":        {`with gone as (delete from gaming.history_parts where wallet_id = $1) delete from gaming.entries where wallet_id = $1 and seq < 0`, chaincheck.KindHistory},
		"the part":             {`delete from gaming.history_parts where wallet_id = $1`, chaincheck.KindHistory},
		"the part's head":      {`update gaming.history_parts set head = sha256('x') where wallet_id = $1`, chaincheck.KindHistory},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := live(6, 3, 30)
			s := newSuite(t, p)
			_, err := s.run(p.csv())
			require.NoError(t, err)
			tx, err := s.owner.Begin(t.Context())
			require.NoError(t, err)
			_, err = tx.Exec(t.Context(), `alter table gaming.entries disable trigger all; alter table gaming.history_parts disable trigger all`)
			require.NoError(t, err)
			tag, err := tx.Exec(t.Context(), test.plant, walletcore.WalletKey{Brand: legacy, User: "player-1", Currency: "EUR"}.ID())
			require.NoError(t, err)
			require.NotZero(t, tag.RowsAffected())
			require.NoError(t, tx.Commit(t.Context()))
			r := s.verify()
			require.False(t, r.Proved())
			var kinds []chaincheck.Kind
			for _, f := range r.Chain.Findings {
				require.Equal(t, "player-1", f.User)
				kinds = append(kinds, f.Kind)
			}
			require.Contains(t, kinds, test.found)
			report := s.check()
			require.Equal(t, 2, report.ExitCode())
		})
	}
}
