package replay_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/replay"
	"github.com/walletctl/walletctl/walletcore/deadletter"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// deadBench is the dead letters of both services, and a person on call.
type deadBench struct {
	t      *testing.T
	db     *wallettest.Database
	admin  *pgxpool.Pool
	casino *deadletter.Store
	gaming *deadletter.Store
	ana    *replay.Desk
}

func newDeadBench(t *testing.T) *deadBench {
	t.Helper()
	db := wallettest.NewDatabase(t)
	b := &deadBench{
		t: t, db: db, admin: db.Pool(t, wallettest.Admin),
		casino: &deadletter.Store{Pool: db.Pool(t, wallettest.Casino), Schema: "casino"},
		gaming: &deadletter.Store{Pool: db.Pool(t, wallettest.Gaming), Schema: "gaming"},
	}
	b.ana = b.person("ana")
	return b
}

func (b *deadBench) person(name string) *replay.Desk {
	b.t.Helper()
	pool := b.db.PoolOf(b.t, wallettest.NewPerson(b.t, name, "oncall"))
	return &replay.Desk{Casino: pool, Gaming: pool}
}

func (b *deadBench) keep(store *deadletter.Store, queue string, n int) (refs []replay.Ref) {
	b.t.Helper()
	at := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	for i := range n {
		_, err := store.Keep(b.t.Context(), deadletter.Letter{
			Queue: queue, MessageID: fmt.Sprint(queue, i), Reason: "of a test", Deaths: 1, FirstDeathAt: at, LastDeathAt: at,
			Headers: []byte(`{"x-brand": "acme"}`), Body: []byte("{"),
		})
		require.NoError(b.t, err)
	}
	rows, err := b.admin.Query(b.t.Context(), fmt.Sprintf(`
select id from %s.dead_letters where queue = $1 order by id`, store.Schema), queue)
	require.NoError(b.t, err)
	numbers, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	require.NoError(b.t, err)
	for _, n := range numbers {
		refs = append(refs, replay.Ref{Schema: store.Schema, Number: n})
	}
	return refs
}

// serve sends what is asked for, as casino does, until the test ends.
func (b *deadBench) serve(send func(context.Context, deadletter.Letter) error) {
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			if found, _ := b.casino.SendNext(ctx, send); !found {
				select {
				case <-ctx.Done():
				case <-time.After(5 * time.Millisecond):
				}
			}
		}
	}()
	b.t.Cleanup(func() { stop(); <-done })
}

func sent(context.Context, deadletter.Letter) error { return nil }

func TestDead_ListsBothServicesAsOne(t *testing.T) {
	t.Parallel()
	b := newDeadBench(t)
	webhooks := b.keep(b.casino, "casino.notifications", 2)
	calls := b.keep(b.gaming, "gaming.calls", 1)
	b.keep(b.casino, "casino.outcomes", 1)
	all, err := b.ana.Dead(t.Context(), replay.DeadFilter{})
	require.NoError(t, err)
	require.Len(t, all, 4)
	require.Equal(t, []replay.Ref{webhooks[0], webhooks[1], calls[0]}, []replay.Ref{all[0].Ref, all[1].Ref, all[2].Ref},
		"the one that waits longest comes first")
	some, err := b.ana.Dead(t.Context(), replay.DeadFilter{Queue: "gaming.calls"})
	require.NoError(t, err)
	require.Len(t, some, 1)
	require.Empty(t, some[0].Body)

	_, err = b.ana.DiscardDead(t.Context(), webhooks[0], "of a test")
	require.NoError(t, err)
	for state, n := range map[string]int{"": 3, "kept": 3, "discarded": 1, "requeued": 0, "all": 4} {
		some, err := b.ana.Dead(t.Context(), replay.DeadFilter{State: state})
		require.NoError(t, err)
		require.Len(t, some, n, state)
	}
	one, err := b.ana.DeadLetter(t.Context(), webhooks[0])
	require.NoError(t, err)
	require.JSONEq(t, `{"x-brand": "acme"}`, string(one.Headers))
	require.Equal(t, "{", string(one.Body))
	require.Len(t, one.Events, 1)
	require.Equal(t, one.HandledBy, one.Events[0].Actor)
	_, err = b.ana.DeadLetter(t.Context(), replay.Ref{Schema: "casino", Number: 99})
	require.ErrorIs(t, err, replay.ErrNotFound)
}

func TestRequeueDead_WaitsForWhatComesOfIt(t *testing.T) {
	t.Parallel()
	b := newDeadBench(t)
	refs := b.keep(b.casino, "casino.notifications", 3)
	_, err := b.ana.Dead(t.Context(), replay.DeadFilter{})
	require.NoError(t, err)
	soon, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	result, err := b.ana.RequeueDead(soon, refs[0], "repaired")
	require.NoError(t, err)
	require.Equal(t, replay.TimedOut, result.Outcome, "casino is not there")

	b.serve(func(_ context.Context, l deadletter.Letter) error {
		if l.ID == refs[2].Number {
			return &deadletter.RefusedError{Reason: "no queue takes it"}
		}
		return nil
	})
	result, err = b.ana.RequeueDead(t.Context(), refs[1], "repaired")
	require.NoError(t, err)
	require.Equal(t, replay.DeadResult{Ref: refs[1], Outcome: replay.Done, State: "requeued"}, result)
	result, err = b.ana.RequeueDead(t.Context(), refs[2], "repaired")
	require.NoError(t, err)
	require.Equal(t, replay.DeadResult{Ref: refs[2], Outcome: replay.Failed, State: "kept", Error: "no queue takes it"}, result)

	calls := b.keep(b.gaming, "gaming.calls", 1)
	_, err = b.ana.RequeueDead(t.Context(), calls[0], "repaired")
	var refused *replay.DeadError
	require.ErrorAs(t, err, &refused)
	require.False(t, refused.Handled)
	require.Contains(t, refused.Text, "replay the deposit or the withdrawal instead")
}

func TestDead_OfTwoPeopleOneActsAndTheOtherIsToldWho(t *testing.T) {
	t.Parallel()
	b := newDeadBench(t)
	var sends atomic.Int64
	b.serve(func(context.Context, deadletter.Letter) error { sends.Add(1); return nil })
	bob := b.person("bob")
	acts := []func(*replay.Desk, replay.Ref) error{
		func(d *replay.Desk, r replay.Ref) error {
			_, err := d.RequeueDead(context.Background(), r, "by one")
			return err
		},
		func(d *replay.Desk, r replay.Ref) error {
			_, err := d.DiscardDead(context.Background(), r, "by another")
			return err
		},
	}
	refs := b.keep(b.casino, "casino.notifications", 30)
	requeued := 0
	for i, ref := range refs {
		errs := make([]error, 2)
		var both sync.WaitGroup
		for j, desk := range []*replay.Desk{b.ana, bob} {
			both.Go(func() { errs[j] = acts[(i+j*(i/10))%2](desk, ref) })
		}
		both.Wait()
		lost := errors.Join(errs...)
		require.True(t, errs[0] == nil || errs[1] == nil, lost)
		var refused *replay.DeadError
		require.ErrorAs(t, lost, &refused, "both acted on %s", ref)
		require.True(t, refused.Handled)
		l, err := b.ana.DeadLetter(t.Context(), ref)
		require.NoError(t, err)
		require.Contains(t, refused.Text, l.HandledBy)
		if l.State == deadletter.Requeued {
			requeued++
		}
	}
	require.EqualValues(t, requeued, sends.Load())
}

func TestRunDead_TellsOfEachAndGoesOnWhereItWasStopped(t *testing.T) {
	t.Parallel()
	b := newDeadBench(t)
	b.serve(sent)
	refs := b.keep(b.casino, "casino.notifications", 500)
	_, err := b.ana.DiscardDead(t.Context(), refs[1], "of a test")
	require.NoError(t, err)

	ctx, interrupt := context.WithCancel(t.Context())
	heard := 0
	results, err := b.ana.RunDead(ctx, replay.DeadRun{Refs: refs, Note: "repaired", Progress: func(replay.DeadResult, int, int) {
		if heard++; heard == 50 {
			interrupt()
		}
	}})
	var partial *replay.PartialError
	require.ErrorAs(t, err, &partial)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, []int{199, 1, 300}, []int{partial.Done, partial.Failed, partial.Left}, "what was begun is told")
	require.Len(t, results, 200)

	left, err := b.ana.Dead(t.Context(), replay.DeadFilter{State: "kept", Limit: 1000})
	require.NoError(t, err)
	require.Len(t, left, 300)
	rest := replay.DeadRun{Note: "repaired"}
	for i := range left {
		rest.Refs = append(rest.Refs, left[i].Ref)
	}
	results, err = b.ana.RunDead(t.Context(), rest)
	require.NoError(t, err)
	require.Len(t, results, 300)
}

func TestDead_TenThousandAreListedQuickly(t *testing.T) {
	t.Parallel()
	b := newDeadBench(t)
	_, err := b.admin.Exec(t.Context(), `
insert into casino.dead_letters (digest, queue, exchange, routing_key, message_id, type, correlation_id, user_id, content_type,
  reason, deaths, first_death_at, last_death_at, headers, body, body_size, cut)
select sha256(n::text::bytea), 'casino.notifications', '', '', n::text, '', '', '', '', 'of a test', 1, now(), now(), '{}',
  convert_to(repeat('x', 10000), 'utf8'), 10000, false
from generate_series(1, 10000) n`)
	require.NoError(t, err)
	best := time.Hour // of three: other tests run beside this one
	for range 3 {
		began := time.Now()
		all, err := b.ana.Dead(t.Context(), replay.DeadFilter{Limit: replay.MaxDead})
		best = min(best, time.Since(began))
		require.NoError(t, err)
		require.Len(t, all, 10_000)
	}
	t.Logf("10,000 dead letters in %s", best)
	require.Less(t, best, 5*time.Second, "the bodies of 100 MB are not read")
}
