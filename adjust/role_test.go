package adjust_test

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/adjust"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// The functions are the way in for each role, and for no other.
func TestRoles_EachHasItsOwnSteps(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	ctx := t.Context()
	for _, p := range []person{s.olga, s.nobody, {Desk: *s.nobodyReads()}} {
		id := s.request(s.mary, s.real("1"))
		_, err := p.Request(ctx, s.real("1"))
		require.ErrorIs(t, err, adjust.ErrForbidden)
		_, err = p.Approve(ctx, id, "")
		require.ErrorIs(t, err, adjust.ErrForbidden)
		require.ErrorIs(t, p.Reject(ctx, id, "no"), adjust.ErrForbidden)
		require.ErrorIs(t, p.Cancel(ctx, id, ""), adjust.ErrForbidden)
	}
	id := s.request(s.mary, s.real("1"))
	for _, p := range []person{s.mary, s.miro} {
		_, err := p.Approve(ctx, id, "")
		require.ErrorIs(t, err, adjust.ErrForbidden)
		require.ErrorIs(t, p.Reject(ctx, id, "no"), adjust.ErrForbidden)
	}
	var rule *adjust.RuleError
	require.ErrorAs(t, s.miro.Cancel(ctx, id, ""), &rule)
	require.ErrorAs(t, s.sue.Cancel(ctx, id, ""), &rule)
	require.Contains(t, rule.Text, s.mary.name+", who alone can cancel it")
	_, err := s.sue.Approve(ctx, adjust.NewID(), "")
	require.ErrorIs(t, err, adjust.ErrNotFound)
	_, err = s.nobody.List(ctx, adjust.Filter{})
	require.ErrorIs(t, err, adjust.ErrForbidden)
	for _, p := range []person{s.olga, s.mary, s.sue, {Desk: *s.nobodyReads()}} {
		list, err := p.List(ctx, adjust.Filter{})
		require.NoError(t, err)
		require.NotEmpty(t, list)
	}
}

func TestSupervisor_CannotApproveTheirOwnRequest(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	id := s.request(s.sue, s.real("1"))
	_, err := s.sue.Approve(t.Context(), id, "")
	var rule *adjust.RuleError
	require.ErrorAs(t, err, &rule)
	require.Contains(t, rule.Text, "who cannot approve it")
	require.True(t, s.approve(s.sam, id))
	require.Equal(t, 1, s.sweep())
	s.requireSound()
}

// A role that was taken away is gone with the next step; SET ROLE changes
// nobody's name.
func TestLogin_IsWhoOneIs(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	both := s.hire("both", "support", "supervisor")
	id := s.request(both, s.real("1"))
	for _, role := range []string{"supervisor", "support"} {
		s.requireRefused(both.Pool, "approving as "+role,
			`set local role `+role+`; select gaming.approve_adjustment('`+id+`', '', 'h', 'c')`)
	}
	s.exec(`revoke supervisor from "` + s.sue.name + `"`)
	_, err := s.sue.Approve(t.Context(), id, "")
	require.ErrorIs(t, err, adjust.ErrForbidden)
}

func TestGaming_PostsOnlyWhatWasApproved(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	gaming := s.db.Pool(t, wallettest.Gaming)
	id, debit, elsewhere := s.request(s.mary, s.real("5")), s.approvedDebit(), s.approvedElsewhere()
	require.True(t, s.approve(s.sue, id))
	asBonus := strings.NewReplacer("set real = real", "set bonus = bonus", "real - 5, real, bonus, bonus", "real, real, bonus - 5, bonus")
	asWell := strings.NewReplacer("set real = real", "set bonus = bonus + 1, real = real", "real, bonus, bonus,", "real, bonus - 1, bonus,")
	for name, statement := range map[string]string{
		"another amount":    forgedEntry(id, "5.00000001"),
		"the other sign":    forgedEntry(id, "-5"),
		"somebody's name":   strings.Replace(forgedEntry(id, "5"), "coalesce((", "'x' || coalesce((", 1),
		"bonus as well":     asWell.Replace(forgedEntry(id, "5")),
		"bonus for real":    asBonus.Replace(forgedEntry(id, "5")),
		"another wallet's":  forgedEntry(elsewhere, "5"),
		"an old snapshot":   `set transaction isolation level repeatable read;` + forgedEntry(id, "5"),
		"a debt, not asked": strings.Replace(forgedEntry(debit, "-150"), "set real", "set debt_limit = 50, real", 1),
	} {
		s.requireRefused(gaming, name, statement)
	}
	s.requirePossible(gaming, forgedEntry(id, "5")) // nothing else was in the way
	require.Equal(t, 3, s.sweep())
	s.requireState(debit, adjust.Refused)
	s.requireState(elsewhere, adjust.Posted)
	s.requireState(id, adjust.Posted)
	s.credit("d-3", "100") // the debit could be posted now, had it not been refused
	s.requireRefused(gaming, "what was refused", forgedEntry(debit, "-150"))
	s.requireSound()
}

// requirePossible tries a statement and takes it back.
func (s *suite) requirePossible(pool *pgxpool.Pool, statement string) {
	s.Helper()
	tx, err := pool.Begin(s.Context())
	require.NoError(s, err)
	defer func() { require.NoError(s, tx.Rollback(s.Context())) }()
	_, err = tx.Exec(s.Context(), statement)
	require.NoError(s, err)
}

// A debt that was asked for passes where one that was not is refused.
func TestGaming_PostsADebtThatWasAskedFor(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	id := s.request(s.sam, s.debt("-150"))
	require.True(t, s.approve(s.sue, id))
	s.requirePossible(s.db.Pool(t, wallettest.Gaming),
		strings.Replace(forgedEntry(id, "-150"), "set real", "set debt_limit = 50, real", 1))
}

// approvedDebit approves to take 150 of 100, without a debt.
func (s *suite) approvedDebit() string {
	s.Helper()
	id := s.request(s.mary, s.real("-150"))
	require.True(s, s.approve(s.sam, id))
	return id
}

// approvedElsewhere approves an adjustment of another wallet.
func (s *suite) approvedElsewhere() string {
	s.Helper()
	here := s.wallet
	s.wallet.User = "u-2"
	defer func() { s.wallet = here }()
	s.credit("d-2", "1")
	id := s.request(s.mary, s.real("5"))
	require.True(s, s.approve(s.sue, id))
	return id
}
