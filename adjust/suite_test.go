package adjust_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/adjust"
	"github.com/walletctl/walletctl/chaincheck"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// suite is a database with one wallet, and the people of a small company.
type suite struct {
	*testing.T
	db     *wallettest.Database
	admin  *pgxpool.Pool
	ledger *ledger.Ledger
	wallet walletcore.WalletKey

	mary, miro, sue, sam, olga, nobody person // support, support, supervisor, supervisor, oncall, no member
	auditor                            *pgxpool.Pool
}

// person is a login with its desk.
type person struct {
	adjust.Desk
	name string
	url  string
}

func newSuite(t *testing.T) *suite {
	t.Helper()
	s := &suite{T: t, db: wallettest.NewDatabase(t), wallet: walletcore.WalletKey{Brand: "acme", User: "u-1", Currency: "EUR"}}
	s.admin = s.db.Pool(t, wallettest.Admin)
	s.auditor = s.db.Pool(t, wallettest.Auditor)
	s.ledger = s.newLedger(s.db.Pool(t, wallettest.Gaming))
	s.mary, s.miro = s.hire("mary", "support"), s.hire("miro", "support")
	s.sue, s.sam = s.hire("sue", "supervisor"), s.hire("sam", "supervisor")
	s.olga, s.nobody = s.hire("olga", "oncall"), s.hire("nobody")
	s.credit("d-1", "100")
	return s
}

func (s *suite) hire(name string, roles ...string) person {
	s.Helper()
	login := wallettest.NewPerson(s, name, roles...)
	return person{
		name: login.Name, url: s.db.URLOf(s, login),
		Desk: adjust.Desk{Pool: s.db.PoolOf(s, login), Host: "desk-of-" + name, Client: "test 1"},
	}
}

func (s *suite) newLedger(pool *pgxpool.Pool) *ledger.Ledger {
	s.Helper()
	l, err := ledger.New(ledger.Options{Pool: pool, Keys: wallettest.Keys(s)})
	require.NoError(s, err)
	return l
}

// newPoster is a gaming's.
func (s *suite) newPoster(change ...func(*adjust.PosterOptions)) *adjust.Poster {
	s.Helper()
	o := adjust.PosterOptions{Pool: s.db.Pool(s, wallettest.Gaming), Ledger: s.ledger, Host: "gaming-1", Client: "gaming test"}
	for _, c := range change {
		c(&o)
	}
	p, err := adjust.NewPoster(o)
	require.NoError(s, err)
	return p
}

// sweep posts what is due, once.
func (s *suite) sweep() int {
	s.Helper()
	n, err := s.newPoster().Sweep(s.Context())
	require.NoError(s, err)
	return n
}

func (s *suite) credit(id, amount string) {
	s.Helper()
	_, err := s.ledger.CreditDeposit(s.Context(), walletcore.DepositCredit{
		DepositID: id, Wallet: s.wallet, Amount: money(amount), OccurredAt: time.Now(),
	})
	require.NoError(s, err)
}

// post posts one movement of the wallet and returns its refusal.
func (s *suite) post(kind walletcore.Kind, id, amount string, change ...func(*ledger.Movement)) error {
	s.Helper()
	m := ledger.Movement{
		Wallet: s.wallet, Kind: kind, ExternalID: id, Amount: money(amount), Actor: "test", OccurredAt: time.Now(),
	}
	for _, c := range change {
		c(&m)
	}
	results, err := s.ledger.Post(s.Context(), []ledger.Request{{m}})
	require.NoError(s, err)
	return results[0].Err()
}

func money(text string) walletcore.Money { return walletcore.MustParseMoney(text) }

// real asks for so much of real.
func (s *suite) real(amount string) adjust.Request {
	return adjust.Request{Wallet: s.wallet.ID(), Real: money(amount), Reason: "goodwill", Ticket: "T-1", Note: "as agreed"}
}

func (s *suite) bonus(amount string) adjust.Request {
	r := s.real("0")
	r.Bonus = money(amount)
	return r
}

func (s *suite) debt(amount string) adjust.Request {
	r := s.real(amount)
	r.AllowDebt = true
	return r
}

func (s *suite) request(p person, r adjust.Request) string {
	s.Helper()
	id, err := p.Request(s.Context(), r)
	require.NoError(s, err)
	return id
}

// approve approves and returns whether that was enough.
func (s *suite) approve(p person, id string) bool {
	s.Helper()
	enough, err := p.Approve(s.Context(), id, "")
	require.NoError(s, err)
	return enough
}

// adjust goes the whole way, by mary and sue.
func (s *suite) adjust(r adjust.Request) adjust.Adjustment {
	s.Helper()
	id := s.request(s.mary, r)
	require.True(s, s.approve(s.sue, id))
	require.Equal(s, 1, s.sweep())
	return s.find(id)
}

func (s *suite) find(id string) adjust.Adjustment {
	s.Helper()
	a, err := s.mary.Find(s.Context(), id)
	require.NoError(s, err)
	return a
}

func (s *suite) requireState(id string, want adjust.State) {
	s.Helper()
	require.Equal(s, want, s.find(id).State)
}

// requireBalance compares real, bonus and debt limit.
func (s *suite) requireBalance(real, bonus, limit string) {
	s.Helper()
	w, err := ledger.NewReader(s.admin).Wallet(s.Context(), s.wallet.ID())
	require.NoError(s, err)
	require.Equal(s, []walletcore.Money{money(real), money(bonus), money(limit)}, []walletcore.Money{w.Real, w.Bonus, w.DebtLimit})
}

func (s *suite) count(query string, args ...any) int {
	s.Helper()
	var n int
	require.NoError(s, s.admin.QueryRow(s.Context(), query, args...).Scan(&n))
	return n
}

func (s *suite) exec(statement string, args ...any) {
	s.Helper()
	_, err := s.admin.Exec(s.Context(), statement, args...)
	require.NoError(s, err)
}

// entriesOf counts an adjustment's entries.
func (s *suite) entriesOf(id string) int {
	s.Helper()
	return s.count(`select count(*) from gaming.entries where kind = 'adjustment' and external_id = $1`, id)
}

// withoutTwoPeople are entries that cannot be traced to somebody who asked, a
// supervisor who approved, and to what they asked for and approved, before it
// was posted.
const withoutTwoPeople = `
select count(*)
from gaming.entries e
where e.kind = 'adjustment' and not exists (
  select
  from gaming.adjustments a
  join gaming.adjustment_steps asked on asked.adjustment_id = a.id and asked.step = 'requested'
  join gaming.adjustment_steps given on given.adjustment_id = a.id and given.step = 'approved'
  where a.id = e.external_id and a.wallet_id = e.wallet_id
    and a.real = e.real_after - e.real_before and a.bonus = e.bonus_after - e.bonus_before
    and asked.actor = a.requested_by and given.actor <> a.requested_by
    and pg_has_role(given.actor, 'supervisor', 'member')
    and asked.at <= given.at and given.at <= e.recorded_at
    and e.actor = a.requested_by
    and e.details ->> 'requested_by' = a.requested_by
    and (e.details -> 'approved_by')::jsonb ? given.actor)`

// requireSound asserts what must hold at the end of every test.
func (s *suite) requireSound() {
	s.Helper()
	wallettest.RequireClosed(s, s.admin, wallettest.Keys(s))
	require.Zero(s, s.count(withoutTwoPeople), "an entry without two people")
	require.Zero(s, s.count(`
select count(*)
from gaming.adjustment_steps s
join gaming.entries e on e.kind = 'adjustment' and e.external_id = s.adjustment_id
where s.step in ('rejected', 'cancelled', 'refused')`), "posted, and ended otherwise")
	report, err := chaincheck.Run(s.Context(), chaincheck.Deps{Pool: s.auditor, Keys: wallettest.Keys(s)}, chaincheck.Options{All: true})
	require.NoError(s, err)
	require.Empty(s, report.Findings)
}

// eventually waits for what is bound to happen.
func (s *suite) eventually(what string, holds func() bool) {
	s.Helper()
	require.Eventually(s, holds, time.Minute, 10*time.Millisecond, what)
}
