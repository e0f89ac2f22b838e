package adjust_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/adjust"
)

func ids(list []adjust.Adjustment) []string {
	all := []string{}
	for i := range list {
		all = append(all, list[i].ID)
	}
	return all
}

func TestList_WhatWaitsForAnApproverComesFirst(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	posted := s.adjust(s.real("1")).ID
	oldest := s.request(s.mary, s.real("1"))
	rejected := s.request(s.mary, s.real("1"))
	require.NoError(t, s.sue.Reject(t.Context(), rejected, "no"))
	newest := s.request(s.miro, s.real("1"))

	list := func(p person, f adjust.Filter) []string {
		all, err := p.List(t.Context(), f)
		require.NoError(t, err)
		return ids(all)
	}
	require.Equal(t, []string{oldest, newest, rejected, posted}, list(s.sue, adjust.Filter{}))
	require.Equal(t, []string{oldest, rejected, posted}, list(s.mary, adjust.Filter{Mine: true}))
	require.Equal(t, []string{posted}, list(s.sue, adjust.Filter{State: adjust.Posted}))
	require.Equal(t, []string{oldest}, list(s.sue, adjust.Filter{Limit: 1}))
	require.Empty(t, list(s.sue, adjust.Filter{Brand: "bravo"}))
	require.Len(t, list(s.sue, adjust.Filter{Brand: "acme", Wallet: s.wallet.ID()}), 4)
	since := s.find(rejected).RequestedAt
	require.Equal(t, []string{newest, rejected}, list(s.sue, adjust.Filter{Since: since}))
	require.Equal(t, []string{oldest, posted}, list(s.sue, adjust.Filter{Until: since}))
	for _, f := range []adjust.Filter{{State: "done"}, {Limit: -1}, {Limit: adjust.MaxList + 1}, {Since: since, Until: since}} {
		_, err := s.sue.List(t.Context(), f)
		require.Error(t, err)
	}
}

func TestAudit_HasEveryStepOfEveryAdjustment(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	s.exec(`
alter table gaming.adjustments disable trigger adjustments_checked;
insert into gaming.adjustments (id, wallet_id, brand_id, user_id, currency, real, bonus, reason, ticket, note, allow_debt,
  needs_two, requested_by, requested_at, expires_at)
select 'adj_' || lpad(to_hex(i), 32, '0'), gen_random_uuid(), 'bravo', 'u', 'EUR', 1, 0, 'goodwill', 'T', '', false, false, 'x',
  now() - interval '9 days', now() - interval '8 days'
from generate_series(1, 2100) i;
alter table gaming.adjustments enable always trigger adjustments_checked;`)
	posted, cancelled := s.adjust(s.real("1")).ID, s.request(s.miro, s.real("1"))
	require.NoError(t, s.miro.Cancel(t.Context(), cancelled, "a mistake"))
	records, err := s.nobodyReads().Audit(t.Context(), adjust.Filter{Limit: 1})
	require.NoError(t, err)
	require.Len(t, records, 2102)
	require.Equal(t, adjust.Expired, records[0].State)
	done := map[string][]string{}
	for _, r := range records[2100:] {
		for _, step := range r.Steps {
			done[r.ID] = append(done[r.ID], step.Step+" by "+step.Actor)
		}
	}
	require.Equal(t, map[string][]string{
		posted:    {"requested by " + s.mary.name, "approved by " + s.sue.name},
		cancelled: {"requested by " + s.miro.name, "cancelled by " + s.miro.name},
	}, done)
	records, err = s.nobodyReads().Audit(t.Context(), adjust.Filter{Since: time.Now().Add(-time.Hour), State: adjust.Cancelled})
	require.NoError(t, err)
	require.Len(t, records, 1)
}
