package adjust_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/adjust"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// postbox takes notices, or does not.
type postbox struct {
	mu     sync.Mutex
	err    error
	taken  []adjust.Notice
	missed int
}

func (p *postbox) send(_ context.Context, n adjust.Notice) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err != nil {
		p.missed++
		return p.err
	}
	p.taken = append(p.taken, n)
	return nil
}

func (s *suite) newNotifier(box *postbox) *adjust.Notifier {
	s.Helper()
	n, err := adjust.NewNotifier(adjust.NotifierOptions{Pool: s.db.Pool(s, wallettest.Gaming), Send: box.send})
	require.NoError(s, err)
	return n
}

func TestNotifier_TellsOfEachRequestThatWaitsOnceWhoeverStarts(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	box := &postbox{}
	ids := []string{s.request(s.mary, s.real("-1")), s.request(s.miro, s.bonus("2")), s.request(s.mary, s.real("3"))}
	require.NoError(t, s.mary.Cancel(t.Context(), ids[2], ""))
	s.together(3, func(int) { require.NoError(t, s.newNotifier(box).Round(t.Context())) })
	require.NoError(t, s.newNotifier(box).Round(t.Context()), "a new process")
	require.Len(t, box.taken, 2)
	told := map[string]adjust.Notice{}
	for _, n := range box.taken {
		told[n.ID] = n
	}
	a := s.find(ids[0])
	require.Equal(t, adjust.Notice{
		MessageID: "adjustment.requested:" + a.ID, Event: "adjustment.requested", ID: a.ID, Brand: "acme", User: "u-1",
		Currency: "EUR", Amount: money("-1"), Balance: "real", Reason: "goodwill", Ticket: "T-1", RequestedBy: s.mary.name,
		RequestedAt: a.RequestedAt, ExpiresAt: a.ExpiresAt,
	}, told[ids[0]])
	require.Equal(t, "bonus", told[ids[1]].Balance)
}

func TestNotifier_TriesAgainLaterWhileTheRequestWaits(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	box := &postbox{err: errors.New("nobody answers")}
	first, second := s.request(s.mary, s.real("1")), s.request(s.mary, s.real("2"))
	notifier := s.newNotifier(box)
	require.ErrorContains(t, notifier.Round(t.Context()), "tell of "+first+": nobody answers")
	require.Equal(t, 1, box.missed, "nobody answers, and the next was tried")
	box.err = nil
	require.NoError(t, notifier.Round(t.Context()))
	require.Len(t, box.taken, 1)
	require.Equal(t, second, box.taken[0].ID)

	wait := func() int {
		return s.count(`select round(extract(epoch from next_at - clock_timestamp()))::int from gaming.adjustment_notices where adjustment_id = $1`, first)
	}
	due := func() {
		s.exec(`update gaming.adjustment_notices set next_at = clock_timestamp() where told_at is null`)
	}
	require.InDelta(t, 30, wait(), 15)
	box.err = errors.New("still nobody")
	for _, pause := range []int{60, 120, 240, 480, 960, 960} {
		due()
		require.Error(t, notifier.Round(t.Context()))
		require.InDelta(t, pause, wait(), 15)
	}
	box.err = nil
	due()
	require.NoError(t, notifier.Round(t.Context()))
	require.Len(t, box.taken, 2)
	due()
	require.NoError(t, notifier.Round(t.Context()))
	require.Len(t, box.taken, 2)
}

func TestNotifier_NeverHoldsUpThePosting(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	hung := make(chan struct{})
	n, err := adjust.NewNotifier(adjust.NotifierOptions{
		Pool: s.db.Pool(t, wallettest.Gaming),
		Send: func(ctx context.Context, _ adjust.Notice) error {
			close(hung)
			<-ctx.Done()
			return ctx.Err()
		},
	})
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	id := s.request(s.mary, s.real("1"))
	ended := make(chan struct{})
	go func() {
		_ = n.Run(ctx)
		close(ended)
	}()
	<-hung
	require.True(t, s.approve(s.sue, id))
	require.Equal(t, 1, s.sweep())
	s.requireState(id, adjust.Posted)
	stop()
	<-ended
}
