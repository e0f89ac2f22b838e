package adjust_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/adjust"
)

// limit sets a line of the limits.
func (s *suite) limit(grantee, act, currency, one, day string) {
	s.Helper()
	s.exec(`
insert into gaming.adjustment_limits (grantee, act, currency, per_adjustment, per_day)
values ($1, $2, $3, $4, $5)
on conflict (grantee, act, currency) do update set per_adjustment = excluded.per_adjustment, per_day = excluded.per_day`,
		grantee, act, currency, one, day)
}

func TestLimit_AboveItASecondApproverIsNeeded(t *testing.T) {
	t.Parallel()
	for name, set := range map[string]func(*suite){
		"of the requester's role":             func(s *suite) { s.limit("support", "request", "*", "9.99999999", "1000") },
		"of the requester's role, a day":      func(s *suite) { s.limit("support", "request", "*", "10", "9.99999999") },
		"of the requester's role, a currency": func(s *suite) { s.limit("support", "request", "EUR", "9", "1000") },
		"of the requester":                    func(s *suite) { s.limit(s.mary.name, "request", "*", "9", "1000") },
		"of the approver's role":              func(s *suite) { s.limit("supervisor", "approve", "*", "9", "1000") },
		"of the approver's role, a day":       func(s *suite) { s.limit("supervisor", "approve", "*", "10", "9") },
		"of the approver":                     func(s *suite) { s.limit(s.sue.name, "approve", "EUR", "9", "9") },
		"no line at all":                      func(s *suite) { s.exec(`delete from gaming.adjustment_limits where act = 'approve'`) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSuite(t)
			set(s)
			id := s.request(s.mary, s.real("10"))
			require.False(t, s.approve(s.sue, id))
			s.requireState(id, adjust.Requested)
			require.Zero(t, s.sweep())

			_, err := s.sue.Approve(t.Context(), id, "")
			require.ErrorContains(t, err, "waits for a second approver")
			require.True(t, s.approve(s.sam, id))
			require.Equal(t, 1, s.sweep())
			require.Equal(t, []string{s.sue.name, s.sam.name}, s.find(id).Approvers)
			s.requireBalance("110", "0", "0")
			s.requireSound()
		})
	}
}

func TestLimit_APersonsLineGoesBeforeTheRoles(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	s.limit("support", "request", "EUR", "1", "1")
	s.limit(s.mary.name, "request", "*", "10", "10")
	require.False(t, s.find(s.request(s.mary, s.real("-10"))).NeedsTwo)
	require.True(t, s.find(s.request(s.mary, s.real("0.00000001"))).NeedsTwo, "both signs add up")
	require.True(t, s.find(s.request(s.miro, s.real("10"))).NeedsTwo)
}

func TestLimit_OfADayCountsWhatMayBePosted(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	s.limit("support", "request", "*", "10", "20")
	first := s.request(s.mary, s.real("10"))
	s.request(s.mary, s.bonus("10"))
	require.True(t, s.find(s.request(s.mary, s.real("1"))).NeedsTwo)
	require.False(t, s.find(s.request(s.miro, s.real("10"))).NeedsTwo, "another person's day")

	require.NoError(t, s.mary.Cancel(t.Context(), first, ""))
	require.False(t, s.find(s.request(s.mary, s.real("9"))).NeedsTwo, "what came to nothing counts")
	require.True(t, s.find(s.request(s.mary, s.real("1"))).NeedsTwo)
}

func TestLimit_OfADayHoldsAgainstManyAtOnce(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	s.limit("support", "request", "*", "10", "50")
	s.limit("supervisor", "approve", "*", "10", "30")
	ids := make([]string, 20)
	s.together(len(ids), func(i int) {
		var err error
		ids[i], err = s.mary.Request(t.Context(), s.real("10"))
		require.NoError(t, err)
	})
	require.Equal(t, 5, s.count(`select count(*) from gaming.adjustments where not needs_two`))

	s.together(len(ids), func(i int) {
		_, err := s.sue.Approve(t.Context(), ids[i], "")
		require.NoError(t, err)
	})
	require.Equal(t, 3, s.count(`select count(*) from gaming.adjustment_steps where alone`))
	alone := s.count(`
select count(*) from gaming.adjustment_steps s join gaming.adjustments a on a.id = s.adjustment_id
where s.alone and not a.needs_two`)
	require.Equal(t, alone, s.sweep())
	s.requireSound()
}

// together does something at the same time.
func (s *suite) together(n int, do func(i int)) {
	s.Helper()
	var wait sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		wait.Go(func() {
			<-start
			do(i)
		})
	}
	close(start)
	wait.Wait()
}

func TestLimits_EveryChangeIsKeptWithItsLogin(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	s.limit("support", "request", "*", "7", "70")
	s.exec(`delete from gaming.adjustment_limits where grantee = 'support'`)
	changes, err := s.nobodyReads().LimitChanges(t.Context())
	require.NoError(t, err)
	require.Len(t, changes, 3+2)
	require.Equal(t, []any{"set", "support", money("7"), "postgres"},
		[]any{changes[3].Change, changes[3].Grantee, changes[3].PerAdjustment, changes[3].Actor})
	require.Equal(t, []any{"removed", money("70")}, []any{changes[4].Change, changes[4].PerDay})
	limits, err := s.nobodyReads().Limits(t.Context())
	require.NoError(t, err)
	require.Len(t, limits, 2)
	reasons, err := s.nobodyReads().Reasons(t.Context())
	require.NoError(t, err)
	require.Len(t, reasons, 8)
}
