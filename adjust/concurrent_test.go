package adjust_test

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/adjust"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

func TestApprove_TwentyAtOnceAreOneApprovalAndOneEntry(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	stop := s.runPosters(3)
	id := s.request(s.mary, s.real("5"))
	var approved atomic.Int32
	s.together(20, func(i int) {
		p := []person{s.sue, s.sam}[i%2]
		if enough, err := p.Approve(t.Context(), id, ""); err == nil && enough {
			approved.Add(1)
		}
	})
	require.EqualValues(t, 1, approved.Load())
	a, err := s.sue.Wait(t.Context(), id)
	require.NoError(t, err)
	stop()
	require.Equal(t, adjust.Posted, a.State)
	require.Equal(t, 1, s.count(`select count(*) from gaming.adjustment_steps where step = 'approved'`))
	require.Equal(t, 1, s.entriesOf(id))
	s.requireBalance("105", "0", "0")
	s.requireSound()
}

// What is decided at the same time is decided once.
func TestStep_OnlyOneOfManyEndsOrApproves(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	stop := s.runPosters(2)
	const rounds = 10
	for range rounds {
		id := s.request(s.mary, s.real("1"))
		var done atomic.Int32
		count := func(err error) {
			if err == nil {
				done.Add(1)
			}
		}
		s.together(6, func(i int) {
			switch i % 3 {
			case 0:
				_, err := []person{s.sue, s.sam}[i/3].Approve(t.Context(), id, "")
				count(err)
			case 1:
				count([]person{s.sue, s.sam}[i/3].Reject(t.Context(), id, "no"))
			case 2:
				count(s.mary.Cancel(t.Context(), id, ""))
			}
		})
		require.EqualValues(t, 1, done.Load())
	}
	s.eventually("all to end", func() bool {
		return s.count(`select count(*) from gaming.adjustments a where gaming.state_of(a) in ('requested', 'approved')`) == 0
	})
	stop()
	s.requireSound()
}

// runPosters runs posters with pools and ledgers of their own, woken by one
// listener, until stop.
func (s *suite) runPosters(n int) (stop func()) {
	s.Helper()
	ctx, cancel := context.WithCancel(s.Context())
	listener := &adjust.Listener{Pool: s.db.Pool(s, wallettest.Gaming), Pause: time.Second, Logger: slog.New(slog.DiscardHandler)}
	var wait sync.WaitGroup
	for range n {
		pool := s.db.Pool(s, wallettest.Gaming)
		poster := s.newPoster(func(o *adjust.PosterOptions) {
			o.Pool, o.Ledger, o.Told, o.Interval = pool, s.newLedger(pool), listener.Subscribe(), time.Second
		})
		wait.Go(func() { _ = poster.Run(ctx) })
	}
	wait.Go(func() { _ = listener.Run(ctx) })
	stop = func() {
		cancel()
		wait.Wait()
	}
	s.Cleanup(stop)
	return stop
}

func TestPoster_ThreeAtOncePostEachOnce(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	s.exec(`update gaming.adjustment_limits set per_day = 100000`)
	const n = 30
	for range n {
		require.True(t, s.approve(s.sue, s.request(s.mary, s.real("1"))))
	}
	// Nobody is told: each finds all of them by itself, at the same time.
	s.together(3, func(int) {
		pool := s.db.Pool(t, wallettest.Gaming)
		poster := s.newPoster(func(o *adjust.PosterOptions) { o.Pool, o.Ledger = pool, s.newLedger(pool) })
		_, err := poster.Sweep(t.Context())
		require.NoError(t, err)
	})
	require.Equal(t, n, s.count(`select count(*) from gaming.entries where kind = 'adjustment'`))
	s.requireBalance("130", "0", "0")
	s.requireSound()
}

// A deposit may come between one poster's refusal and another's posting: it is
// posted or refused, never both.
func TestPoster_RefusedAndPostedAtTheSameTimeIsOneOfThem(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	s.exec(`update gaming.adjustment_limits set per_day = 100000`)
	for i := range 10 {
		id := s.request(s.mary, s.real(fmt.Sprintf("-%d", 101+i))) // one more than there is
		require.True(t, s.approve(s.sue, id))
		s.together(4, func(j int) {
			if j == 0 {
				s.credit(fmt.Sprintf("late-%d", i), "1")
				return
			}
			pool := s.db.Pool(t, wallettest.Gaming)
			poster := s.newPoster(func(o *adjust.PosterOptions) { o.Pool, o.Ledger = pool, s.newLedger(pool) })
			_, err := poster.Sweep(t.Context())
			require.NoError(t, err)
		})
		require.Contains(t, []adjust.State{adjust.Posted, adjust.Refused}, s.find(id).State)
		if s.find(id).State == adjust.Posted {
			s.credit(fmt.Sprintf("back-%d", i), fmt.Sprint(101+i))
		}
	}
	s.requireSound()
}

// gaming's own refusal waits for a posting that is under way.
func TestRefusal_WaitsForThePostingUnderWay(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	id := s.request(s.mary, s.real("5"))
	require.True(t, s.approve(s.sue, id))
	gaming := s.db.Pool(t, wallettest.Gaming)
	posting, err := gaming.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = posting.Rollback(context.WithoutCancel(t.Context())) }()
	_, err = posting.Exec(t.Context(), forgedEntry(id, "5"))
	require.NoError(t, err, "exactly what was approved")
	refused := make(chan error, 1)
	go func() {
		_, err := s.db.Pool(t, wallettest.Gaming).Exec(context.WithoutCancel(t.Context()), `
set lock_timeout = '30s'; set statement_timeout = '30s'; select gaming.refuse_adjustment('`+id+`', 'no', 'h', 'c')`)
		refused <- err
	}()
	s.eventually("the refusal to wait", func() bool {
		return s.count(`select count(*) from pg_locks where locktype = 'advisory' and not granted
  and database = (select oid from pg_database where datname = current_database())`) == 1
	})
	require.NoError(t, posting.Commit(t.Context()))
	require.ErrorContains(t, <-refused, "adjustment "+id+" is posted")
	require.Zero(t, s.count(`select count(*) from gaming.adjustment_steps where step = 'refused'`))
}

// What another has begun and does not end keeps nobody waiting.
func TestApprove_AnOpenStepOfAnotherIsToldAndNotWaitedFor(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	id := s.request(s.mary, s.real("5"))
	open, err := s.mary.Pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = open.Rollback(context.WithoutCancel(t.Context())) }()
	_, err = open.Exec(t.Context(), `select gaming.cancel_adjustment($1, '', 'h', 'c')`, id)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_, err = s.sue.Approve(ctx, id, "")
	require.ErrorIs(t, err, adjust.ErrBusy)
	require.ErrorIs(t, s.sam.Reject(ctx, id, "no"), adjust.ErrBusy)

	require.NoError(t, open.Rollback(t.Context()))
	require.True(t, s.approve(s.sue, id))
}
