package adjust_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/adjust"
	"github.com/walletctl/walletctl/walletcore"
)

func TestAdjustment_IsAskedForByOneApprovedByAnotherAndPostedOnce(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	deposit := int64(1)
	r := s.real("-5.00000001")
	r.CorrectsSeq, r.CaseRef = &deposit, "casino-17"
	id := s.request(s.mary, r)
	s.requireState(id, adjust.Requested)
	require.Zero(t, s.sweep(), "posted without an approval")
	require.True(t, s.approve(s.sue, id))
	s.requireState(id, adjust.Approved)
	require.Equal(t, 1, s.sweep())
	require.Zero(t, s.sweep())

	a := s.find(id)
	require.Equal(t, adjust.Posted, a.State)
	require.Equal(t, s.mary.name, a.RequestedBy)
	require.Equal(t, []string{s.sue.name}, a.Approvers)
	require.Equal(t, []any{money("-5.00000001"), walletcore.Money{}, "casino-17", &deposit}, []any{a.Real, a.Bonus, a.CaseRef, a.CorrectsSeq})
	require.Equal(t, money("100"), a.Receipt.RealBefore)
	require.Equal(t, money("94.99999999"), a.Receipt.RealAfter)
	require.False(t, a.ApprovedAt.Before(a.RequestedAt))
	s.requireBalance("94.99999999", "0", "0")
	s.requireSound()
}

func TestStep_KeepsWhoWhenWhereAndWithWhat(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	id := s.request(s.mary, s.bonus("7"))
	_, err := s.sue.Approve(t.Context(), id, "checked")
	require.NoError(t, err)
	steps, err := s.nobodyReads().Steps(t.Context(), id)
	require.NoError(t, err)
	require.Len(t, steps, 2)
	for i, want := range []adjust.Step{
		{Actor: s.mary.name, Step: "requested", Host: "desk-of-mary", Client: "test 1", Address: "127.0.0.1"},
		{Actor: s.sue.name, Step: "approved", Alone: true, Note: "checked", Host: "desk-of-sue", Client: "test 1", Address: "127.0.0.1"},
	} {
		require.WithinDuration(t, time.Now(), steps[i].At, time.Minute)
		want.At = steps[i].At
		require.Equal(t, want, steps[i])
	}
}

// nobodyReads is the desk of an auditor, who may only look.
func (s *suite) nobodyReads() *adjust.Desk { return &adjust.Desk{Pool: s.auditor} }

func TestAdjustment_EndsOtherwise(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	ctx := t.Context()
	rejected, cancelled := s.request(s.mary, s.real("1")), s.request(s.mary, s.real("1"))
	require.NoError(t, s.sue.Reject(ctx, rejected, "no such ticket"))
	require.NoError(t, s.mary.Cancel(ctx, cancelled, ""))
	r := s.real("1")
	r.ExpiresIn = 200 * time.Millisecond
	expired := s.request(s.mary, r)
	s.eventually("expiry", func() bool { return s.find(expired).State == adjust.Expired })
	refused := s.request(s.mary, s.real("-100.01"))
	require.True(t, s.approve(s.sue, refused))
	require.Equal(t, 1, s.sweep())

	for id, state := range map[string]adjust.State{
		rejected: adjust.Rejected, cancelled: adjust.Cancelled, expired: adjust.Expired, refused: adjust.Refused,
	} {
		s.requireState(id, state)
		for name, err := range map[string]error{
			"reject": s.sam.Reject(ctx, id, "no"),
			"cancel": s.mary.Cancel(ctx, id, ""),
			"approve": func() error {
				_, err := s.sam.Approve(ctx, id, "")
				return err
			}(),
		} {
			var rule *adjust.RuleError
			require.ErrorAs(t, err, &rule, "%s of what is %s", name, state)
			require.True(t, rule.Ended)
			require.Contains(t, rule.Text, "is "+string(state))
		}
		s.requireState(id, state)
	}
	require.Zero(t, s.sweep())
	s.requireBalance("100", "0", "0")
	s.requireSound()
}

func TestApproved_CannotBeTakenBack(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	id := s.request(s.mary, s.real("1"))
	require.True(t, s.approve(s.sue, id))
	for _, state := range []adjust.State{adjust.Approved, adjust.Posted} {
		s.requireState(id, state)
		for _, err := range []error{
			s.sue.Reject(t.Context(), id, "on second thoughts"), s.sam.Reject(t.Context(), id, "no"), s.mary.Cancel(t.Context(), id, ""),
		} {
			var rule *adjust.RuleError
			require.ErrorAs(t, err, &rule)
			require.True(t, rule.Ended)
		}
		_, err := s.sue.Approve(t.Context(), id, "")
		require.ErrorContains(t, err, "is "+string(state))
		s.newPosterSweep()
	}
	s.requireBalance("101", "0", "0")
	s.requireSound()
}

func (s *suite) newPosterSweep() {
	s.Helper()
	_, err := s.newPoster().Sweep(s.Context())
	require.NoError(s, err)
}

func TestDryRun_RecordsNothingAndTellsTheSame(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	dry := s.mary
	dry.DryRun = true
	id := s.request(dry, s.real("1"))
	_, err := s.mary.Find(t.Context(), id)
	require.ErrorIs(t, err, adjust.ErrNotFound)
	_, err = dry.Request(t.Context(), adjust.Request{Wallet: s.wallet.ID(), Real: money("1"), Reason: "whim", Ticket: "T-1"})
	require.ErrorContains(t, err, "there is no reason whim")

	id = s.request(s.mary, s.real("1"))
	dry = s.sue
	dry.DryRun = true
	require.True(t, s.approve(dry, id))
	require.NoError(t, dry.Reject(t.Context(), id, "no"))
	s.requireState(id, adjust.Requested)
	require.Zero(t, s.count(`select count(*) from gaming.adjustment_steps where step <> 'requested'`))
}

func TestRequest_WhatCannotBeMeantIsRefused(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	missing := int64(9)
	for want, change := range map[string]func(*adjust.Request){
		"amount must be of either":      func(r *adjust.Request) { r.Real = walletcore.Money{} },
		"must be of either real or":     func(r *adjust.Request) { r.Bonus = money("1") },
		"there is no reason":            func(r *adjust.Request) { r.Reason = "whim" },
		"reason must not be empty":      func(r *adjust.Request) { r.Reason = "" },
		"ticket must not be empty":      func(r *adjust.Request) { r.Ticket = " " },
		"ticket holds a control":        func(r *adjust.Request) { r.Ticket = "T\n1" },
		"the wallet has no entry 9":     func(r *adjust.Request) { r.CorrectsSeq = &missing },
		"expires_in must be":            func(r *adjust.Request) { r.ExpiresIn = adjust.MaxExpiry + 1 },
		"allow_debt is for an amount":   func(r *adjust.Request) { r.AllowDebt = true },
		"note is longer than 2000":      func(r *adjust.Request) { r.Note = string(make([]byte, 2001)) },
		"no such adjustment or wallet":  func(r *adjust.Request) { r.Wallet = walletcore.WalletKey{Brand: "x"}.ID() },
		"case is longer than 64 bytes":  func(r *adjust.Request) { r.CaseRef = string(make([]byte, 65)) },
		"expires_in must be above zero": func(r *adjust.Request) { r.ExpiresIn = -1 },
	} {
		r := s.real("1")
		change(&r)
		_, err := s.mary.Request(t.Context(), r)
		require.ErrorContains(t, err, want)
	}
	s.exec(`update gaming.adjustment_reasons set active = false where code = 'goodwill'`)
	_, err := s.mary.Request(t.Context(), s.real("1"))
	require.ErrorContains(t, err, "there is no reason goodwill")
	require.Zero(t, s.count(`select count(*) from gaming.adjustments`))
}

func TestRequest_TheSameIDIsOneRequest(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	r := s.real("1")
	r.ID = adjust.NewID()
	s.request(s.mary, r)
	_, err := s.mary.Request(t.Context(), r)
	require.ErrorContains(t, err, "adjustments_pkey")
	require.Equal(t, 1, s.count(`select count(*) from gaming.adjustments`))
}
