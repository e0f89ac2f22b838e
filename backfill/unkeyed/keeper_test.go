package unkeyed_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/backfill/unkeyed"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

var deadline = time.Now().Add(24 * time.Hour).UTC().Truncate(time.Second)

func producer(brand, provider string) unkeyed.Producer {
	return unkeyed.Producer{Brand: brand, Provider: provider, Until: deadline, MessageIDHeader: "X-Request-Id"}
}

func (b *bench) list(listed, unlisted []unkeyed.Producer) {
	b.t.Helper()
	require.NoError(b.t, unkeyed.List(b.t.Context(), b.db.Pool(b.t, wallettest.Gaming), listed, unlisted))
}

// The list is done with when each producer is off it, or past its deadline, and
// nothing came for a week.
func TestList_EmptiesAsProducersAreTakenOff(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	games, more := producer("acme", "games"), producer("acme", "more")
	for range 2 {
		b.list([]unkeyed.Producer{games, more}, nil)
	}
	report := b.read(wallettest.Auditor)
	require.Equal(t, 2, report.Open())
	require.Equal(t, games, report.Producers[0].Producer)
	require.NotZero(t, report.Producers[0].ListedAt)
	require.Zero(t, report.Producers[0].Total)

	b.list([]unkeyed.Producer{more}, []unkeyed.Producer{games})
	report = b.read(wallettest.Auditor)
	require.Equal(t, []string{"more"}, []string{report.Producers[0].Provider})

	b.list(nil, nil) // another file, which knows neither
	more.Until = time.Now().Add(-time.Hour).UTC().Truncate(time.Second)
	b.list([]unkeyed.Producer{more}, nil)
	report = b.read(wallettest.Auditor)
	require.Equal(t, more, report.Producers[0].Producer)
	require.Zero(t, report.Open(), "its deadline has passed, and nothing came")
}

func TestTraffic_IsOpenForAWeekAfterTheLastCall(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for _, c := range []struct {
		traffic unkeyed.Traffic
		open    bool
	}{
		{unkeyed.Traffic{}, false},
		{unkeyed.Traffic{Producer: unkeyed.Producer{Until: now}}, false},
		{unkeyed.Traffic{Producer: unkeyed.Producer{Until: now.Add(1)}}, true},
		{unkeyed.Traffic{LastAt: now.Add(-unkeyed.Quiet)}, false},
		{unkeyed.Traffic{LastAt: now.Add(1 - unkeyed.Quiet)}, true},
		{unkeyed.Traffic{RefusedAt: now.Add(1 - unkeyed.Quiet)}, true},
	} {
		require.Equal(t, c.open, c.traffic.Open(now), "%+v", c.traffic)
	}
}

// What is refused after the deadline is counted, also by the last write of a
// program that ends.
func TestKeeper_CountsWhatIsRefused(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	games := producer("acme", "games")
	keeper, err := unkeyed.NewKeeper(unkeyed.KeeperOptions{
		Pool: b.db.Pool(t, wallettest.Gaming), Listed: []unkeyed.Producer{games}, Interval: 10 * time.Millisecond,
	})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- keeper.Run(ctx) }()
	refused := func() int64 {
		report := b.read(wallettest.Auditor)
		if len(report.Producers) == 0 {
			return -1
		}
		return report.Producers[0].Refused
	}
	require.Eventually(t, func() bool { return refused() == 0 }, 10*time.Second, 10*time.Millisecond)
	keeper.Refuse("acme", "games")
	keeper.Refuse("acme", "games")
	require.Eventually(t, func() bool { return refused() == 2 }, 10*time.Second, 10*time.Millisecond)
	keeper.Refuse("acme", "games")
	cancel()
	require.NoError(t, <-ended)
	require.EqualValues(t, 3, refused())
	report := b.read(wallettest.Auditor)
	require.NotZero(t, report.Producers[0].RefusedAt)
	b.list([]unkeyed.Producer{games}, nil) // gaming starts again
	require.EqualValues(t, 3, refused())
}

// A database that is away loses no count.
func TestKeeper_KeepsWhatCouldNotBeWritten(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.list([]unkeyed.Producer{producer("acme", "games")}, nil)
	keeper, err := unkeyed.NewKeeper(unkeyed.KeeperOptions{Pool: b.db.Pool(t, wallettest.Gaming), Interval: 10 * time.Millisecond})
	require.NoError(t, err)
	owner := b.db.Pool(t, wallettest.Owner)
	_, err = owner.Exec(t.Context(), `revoke update on gaming.unkeyed_producers from gaming`)
	require.NoError(t, err)
	keeper.Refuse("acme", "games")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.NoError(t, keeper.Run(ctx))
	_, err = owner.Exec(t.Context(), `grant update on gaming.unkeyed_producers to gaming`)
	require.NoError(t, err)
	require.NoError(t, keeper.Run(ctx))
	require.EqualValues(t, 1, b.read(wallettest.Auditor).Producers[0].Refused)
}
