package adjust_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/adjust"
)

// approvedOn is an adjustment of one more that was asked for and approved so
// many days ago, and never posted.
func (s *suite) approvedOn(daysAgo int) string {
	s.Helper()
	id := adjust.NewID()
	s.exec(`alter table gaming.adjustments disable trigger adjustments_checked`)
	s.exec(`alter table gaming.adjustment_steps disable trigger adjustment_steps_checked`)
	s.exec(`
insert into gaming.adjustments (id, wallet_id, brand_id, user_id, currency, real, bonus, reason, ticket, note, allow_debt,
  needs_two, requested_by, requested_at, expires_at)
select $1, $2, 'acme', 'u-1', 'EUR', 1, 0, 'goodwill', 'T-1', '', false, false, $3, now() - $4 * interval '1 day',
  now() - ($4 - 3) * interval '1 day'`, id, s.wallet.ID(), s.mary.name, daysAgo)
	s.exec(`
insert into gaming.adjustment_steps (adjustment_id, at, actor, step, alone)
values ($1, now() - $4 * interval '1 day', $2, 'requested', false), ($1, now() - $4 * interval '1 day', $3, 'approved', true)`,
		id, s.mary.name, s.sue.name, daysAgo)
	s.exec(`alter table gaming.adjustment_steps enable always trigger adjustment_steps_checked`)
	s.exec(`alter table gaming.adjustments enable always trigger adjustments_checked`)
	return id
}

func TestPoster_FindsWhatWasApprovedHoweverLongAgo(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	ids := []string{s.approvedOn(400), s.approvedOn(59), s.approvedOn(130)}
	poster := s.newPoster()
	n, err := poster.Sweep(t.Context())
	require.NoError(t, err)
	require.Equal(t, len(ids), n)
	for _, id := range ids {
		s.requireState(id, adjust.Posted)
	}

	// After that it looks at what can be there: nothing is approved this late.
	old, recent := s.approvedOn(130), s.approvedOn(59)
	n, err = poster.Sweep(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, n)
	s.requireState(recent, adjust.Posted)
	s.requireState(old, adjust.Approved)
	require.Equal(t, 1, s.sweep(), "a new process looks at all of it")
	s.requireBalance("105", "0", "0")
	s.requireSound()
}
