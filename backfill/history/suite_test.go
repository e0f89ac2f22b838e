package history_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/backfill"
	"github.com/walletctl/walletctl/backfill/history"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
	"github.com/walletctl/walletctl/walletcore/record"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// legacy is the brand whose history comes in.
const legacy = "legacy"

// suite is a ledger into which the wallets of a past were brought.
type suite struct {
	*testing.T
	db      *wallettest.Database
	owner   *pgxpool.Pool
	pool    *pgxpool.Pool // backfill's
	keys    *walletcore.Keyring
	opening *backfill.Opening
	past    *past
	dir     string
}

func newSuite(t *testing.T, p *past) *suite {
	t.Helper()
	s := &suite{T: t, db: wallettest.NewClosedDatabase(t), keys: wallettest.Keys(t), past: p, dir: t.TempDir()}
	s.owner, s.pool = s.db.Pool(t, wallettest.Owner), s.db.Pool(t, wallettest.Backfill)
	var err error
	s.opening, err = backfill.NewOpening(backfill.OpeningOptions{Pool: s.pool, Keys: s.keys, Brand: legacy, Host: "desk", Client: "test"})
	require.NoError(t, err)
	require.NoError(t, s.opening.Begin(t.Context(), "from the old platform"))
	_, err = s.opening.BringForward(t.Context(), func(yield func(backfill.Balance, error) bool) {
		for _, b := range p.opening() {
			if !yield(b, nil) {
				return
			}
		}
	})
	require.NoError(t, err)
	return s
}

// file writes a source.
func (s *suite) file(text string) string {
	s.Helper()
	path := filepath.Join(s.dir, "history.csv")
	require.NoError(s, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// options are those of a run over a text in our own form.
func (s *suite) options(text string, change ...func(*history.Options)) history.Options {
	s.Helper()
	mapping, err := record.Named("walletctl")
	require.NoError(s, err)
	o := history.Options{
		Brand: legacy, Mapping: mapping, Sources: []record.Source{record.Path(s.file(text))}, TempDir: s.TempDir(), Host: "desk",
	}
	for _, c := range change {
		c(&o)
	}
	return o
}

func (s *suite) run(text string, change ...func(*history.Options)) (history.Result, error) {
	s.Helper()
	return history.Run(s.Context(), s.pool, s.keys, s.options(text, change...))
}

func (s *suite) plan(text string, change ...func(*history.Options)) history.Plan {
	s.Helper()
	p, err := history.MakePlan(s.Context(), s.pool, s.options(text, change...))
	require.NoError(s, err)
	return p
}

func byTime(o *history.Options) { o.Mapping.Order = record.OrderTime }

// goLive opens the brand to movements.
func (s *suite) goLive() *ledger.Ledger {
	s.Helper()
	totals, err := s.opening.Totals(s.Context())
	require.NoError(s, err)
	_, err = s.opening.GoLive(s.Context(), backfill.LiveOptions{Declared: totals, WithoutHistory: "tested elsewhere"})
	require.NoError(s, err)
	l, err := ledger.New(ledger.Options{Pool: s.db.Pool(s.T, wallettest.Gaming), Keys: s.keys})
	require.NoError(s, err)
	return l
}

// requireBalances asserts that nobody's balance moved, and that every chain is
// closed.
func (s *suite) requireBalances() {
	s.Helper()
	wallettest.RequireClosed(s.T, s.owner, s.keys)
	for user, want := range s.past.balances {
		require.Equal(s, want, s.balance(user), user)
	}
}

func (s *suite) balance(user string) (have walletcore.Parts) {
	s.Helper()
	id := walletcore.WalletKey{Brand: legacy, User: user, Currency: "EUR"}.ID()
	row := s.owner.QueryRow(s.Context(), `select real, bonus from gaming.wallets where id = $1`, id)
	require.NoError(s, row.Scan(&have.Real, &have.Bonus))
	return have
}

// entries are what the ledger holds below the live chains, without what differs
// from run to run.
func (s *suite) entries() []string {
	s.Helper()
	rows, err := s.owner.Query(s.Context(), `
select format('%s %s %s %s %s %s %s %s %s %s %s %s', wallet_id, seq, kind, external_id, mark, real_before, real_after, bonus_before,
  bonus_after, round_id, actor, occurred_at)
from gaming.entries
where seq < 0
order by wallet_id, seq`)
	require.NoError(s, err)
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(s, err)
	return lines
}

func (s *suite) count(query string, args ...any) (n int) {
	s.Helper()
	require.NoError(s, s.owner.QueryRow(s.Context(), query, args...).Scan(&n))
	return n
}
