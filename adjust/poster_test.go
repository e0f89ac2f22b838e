package adjust_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/adjust"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

func TestPoster_AConnectionCutAtCommitIsOneEntry(t *testing.T) {
	t.Parallel()
	for name, action := range map[string]wallettest.Action{"before": wallettest.CutBefore, "after": wallettest.CutAfterReply} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSuite(t)
			network, pool := s.gamingBehind()
			require.True(t, s.approve(s.sue, s.request(s.mary, s.real("1"))))
			poster := s.newPoster(func(o *adjust.PosterOptions) { o.Pool, o.Ledger = pool, s.newLedger(pool) })
			_, err := poster.Sweep(t.Context()) // what follows is prepared by it
			require.NoError(t, err)

			id := s.request(s.mary, s.real("5"))
			require.True(t, s.approve(s.sue, id))
			cut := cutAtCommit(network, id, action)
			n, err := poster.Sweep(t.Context())
			require.NoError(t, err)
			require.Equal(t, 1, n)
			require.True(t, cut.Load(), "nothing was cut")
			require.Equal(t, 1, s.entriesOf(id))
			s.requireBalance("106", "0", "0")
			s.requireSound()
		})
	}
}

// gamingBehind is a pool of gaming through a faulty network.
func (s *suite) gamingBehind() (*wallettest.Proxy, *pgxpool.Pool) {
	s.Helper()
	network, url := wallettest.NewProxyFor(s, s.db.URL(s, wallettest.Gaming))
	pool, err := pgxpool.New(context.Background(), url)
	require.NoError(s, err)
	s.Cleanup(pool.Close)
	return network, pool
}

// cutAtCommit cuts where the id travels for the third time: what is due is read,
// then looked up, then written, with the COMMIT in the same round trip.
func cutAtCommit(network *wallettest.Proxy, id string, action wallettest.Action) *atomic.Bool {
	var seen atomic.Int32
	var cut atomic.Bool
	network.OnRequest(func(chunk []byte) wallettest.Action {
		if bytes.Contains(chunk, []byte(id)) && seen.Add(1) == 3 {
			cut.Store(true)
			return action
		}
		return wallettest.Pass
	})
	return &cut
}

// lateLedger ends the poster behind the commit: nobody hears of it.
type lateLedger struct {
	adjust.Ledger
	end context.CancelFunc
}

func (l lateLedger) PostAdjustment(ctx context.Context, a ledger.Adjustment) (walletcore.Posted, error) {
	_, _ = l.Ledger.PostAdjustment(ctx, a)
	l.end()
	return walletcore.Posted{}, context.Canceled
}

func TestPoster_KilledBehindItsCommitLeavesOneEntry(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	id := s.request(s.mary, s.real("5"))
	require.True(t, s.approve(s.sue, id))
	ctx, end := context.WithCancel(t.Context())
	killed := s.newPoster(func(o *adjust.PosterOptions) { o.Ledger = lateLedger{s.ledger, end} })
	require.NoError(t, killed.Run(ctx))
	s.newPosterSweep()
	require.Equal(t, 1, s.entriesOf(id))
	s.requireState(id, adjust.Posted)
	s.requireSound()
}

func TestPoster_OneThatCannotBePostedKeepsNoOtherWaiting(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	first, second := s.request(s.mary, s.real("1")), s.request(s.mary, s.real("2"))
	require.True(t, s.approve(s.sue, first))
	require.True(t, s.approve(s.sue, second))
	poster := s.newPoster(func(o *adjust.PosterOptions) { o.Ledger = failing{s.ledger, first} })
	n, err := poster.Sweep(t.Context())
	require.ErrorContains(t, err, "post "+first+": away")
	require.Equal(t, 1, n)
	s.requireState(first, adjust.Approved)
	s.requireState(second, adjust.Posted)
	require.Equal(t, 1, s.sweep())
	s.requireSound()
}

// failing is a ledger that is away for one adjustment.
type failing struct {
	adjust.Ledger
	id string
}

func (f failing) PostAdjustment(ctx context.Context, a ledger.Adjustment) (walletcore.Posted, error) {
	if a.ID == f.id {
		return walletcore.Posted{}, errors.New("away")
	}
	return f.Ledger.PostAdjustment(ctx, a)
}

func TestPoster_IsToldAtOnceAndComesBackToListening(t *testing.T) {
	t.Parallel()
	s := newSuite(t)
	network, url := wallettest.NewProxyFor(t, s.db.URL(t, wallettest.Gaming))
	heard, err := pgxpool.New(context.Background(), url)
	require.NoError(t, err)
	t.Cleanup(heard.Close)
	listener := &adjust.Listener{Pool: heard, Pause: 10 * time.Millisecond, Logger: slog.New(slog.DiscardHandler)}
	poster := s.newPoster(func(o *adjust.PosterOptions) { o.Told, o.Interval = listener.Subscribe(), time.Hour })
	ctx, stop := context.WithCancel(t.Context())
	var wait sync.WaitGroup
	wait.Go(func() { _ = poster.Run(ctx) })
	wait.Go(func() { _ = listener.Run(ctx) })
	for range 3 {
		id := s.request(s.mary, s.real("1"))
		require.True(t, s.approve(s.sue, id))
		s.eventually("the adjustment to be posted", func() bool { return s.find(id).State == adjust.Posted })
		network.Cut()
	}
	stop()
	wait.Wait()
	require.EqualValues(t, 3, poster.Stats().Posted.Load())
	s.requireSound()
}
