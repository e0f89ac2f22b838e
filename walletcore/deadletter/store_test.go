package deadletter_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/deadletter"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// shelf is the letters of casino on a database of their own, and a person.
type shelf struct {
	*deadletter.Store
	db    *wallettest.Database
	admin *pgxpool.Pool
	ana   *pgxpool.Pool
}

func newShelf(t *testing.T) *shelf {
	t.Helper()
	db := wallettest.NewDatabase(t)
	return &shelf{
		Store: &deadletter.Store{Pool: db.Pool(t, wallettest.Casino), Schema: "casino"}, db: db,
		admin: db.Pool(t, wallettest.Admin), ana: db.PoolOf(t, wallettest.NewPerson(t, "ana", "oncall")),
	}
}

func (s *shelf) keep(t *testing.T, l deadletter.Letter) bool {
	t.Helper()
	isNew, err := s.Keep(t.Context(), l)
	require.NoError(t, err)
	return isNew
}

func (s *shelf) ask(t *testing.T, id int64) {
	t.Helper()
	_, err := s.ana.Exec(t.Context(), `select casino.requeue_dead($1, 'repaired')`, id)
	require.NoError(t, err)
}

// state is what stands in the table about a letter.
func (s *shelf) state(t *testing.T, id int64) (state, text string) {
	t.Helper()
	require.NoError(t, s.admin.QueryRow(t.Context(), `
select state::text, coalesce(error, '') from casino.dead_letters where id = $1`, id).Scan(&state, &text))
	return state, text
}

func sample(id string) deadletter.Letter {
	at := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	return deadletter.Letter{
		Queue: "casino.notifications", Exchange: "casino.webhooks", Key: "notification", MessageID: id, Type: "gateway.webhook",
		CorrelationID: "c-1", UserID: "casino", ContentType: "application/octet-stream", SentAt: at, Reason: "is not JSON",
		Deaths: 2, FirstDeathAt: at, LastDeathAt: at.Add(time.Hour), Headers: json.RawMessage(`{"x-brand": "acme"}`),
		Body: []byte("{\x00\xff"),
	}
}

func TestKeep_ALetterThatIsDeliveredAgainIsOneRow(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	require.True(t, s.keep(t, sample("m-1")))
	require.False(t, s.keep(t, sample("m-1")))
	for name, change := range map[string]func(*deadletter.Letter){
		"body":    func(l *deadletter.Letter) { l.Body = []byte("{") },
		"headers": func(l *deadletter.Letter) { l.Headers = json.RawMessage(`{"x-dead-at": 2}`) },
		"id":      func(l *deadletter.Letter) { l.MessageID = "m-2" },
		"shift":   func(l *deadletter.Letter) { l.MessageID, l.Type = "m-1gateway", ".webhook" },
	} {
		l := sample("m-1")
		change(&l)
		require.True(t, s.keep(t, l), name)
	}
}

func TestKeep_WhatDoesNotFitIsCutAndSaysSo(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	long := sample("m-1")
	long.Body = bytes.Repeat([]byte("x"), deadletter.MaxBody+1)
	odd := sample("m\x00\xff")
	odd.SentAt, odd.Headers, odd.Body, odd.Reason = time.Unix(1<<50, 0), nil, nil, strings.Repeat("é", 3000)
	for _, l := range []deadletter.Letter{long, odd} {
		require.True(t, s.keep(t, l))
		require.False(t, s.keep(t, l))
	}
	var cuts, size, kept int
	require.NoError(t, s.admin.QueryRow(t.Context(), `
select count(*) filter (where cut), max(body_size), max(octet_length(body)) from casino.dead_letters`).Scan(&cuts, &size, &kept))
	require.Equal(t, []int{2, deadletter.MaxBody + 1, deadletter.MaxBody}, []int{cuts, size, kept})

	_, err := s.ana.Exec(t.Context(), `select casino.requeue_dead(1, 'go')`)
	requireCode(t, err, "WC003")
	_, err = s.ana.Exec(t.Context(), `select casino.discard_dead(1, 'too long')`)
	require.NoError(t, err)
}

func TestSendNext_HandsOutWhatWasAskedForAsItWasKept(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	s.keep(t, sample("m-1"))
	s.keep(t, sample("m-2"))
	nobody := func(context.Context, deadletter.Letter) error { panic("nobody asked") }
	found, err := s.SendNext(t.Context(), nobody)
	require.NoError(t, err)
	require.False(t, found)

	s.ask(t, 2)
	var got deadletter.Letter
	found, err = s.SendNext(t.Context(), func(_ context.Context, l deadletter.Letter) error { got = l; return nil })
	require.NoError(t, err)
	require.True(t, found)
	want := sample("m-2")
	want.ID = 2
	require.Empty(t, cmp.Diff(want, got, cmp.Comparer(func(a, b time.Time) bool { return a.Equal(b) })))
	state, _ := s.state(t, 2)
	require.Equal(t, "requeued", state)
	state, _ = s.state(t, 1)
	require.Equal(t, "kept", state)
}

func TestSendNext_AFailureIsTriedAgainAndARefusalGoesBackToThePerson(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	s.keep(t, sample("m-1"))
	s.ask(t, 1)
	_, err := s.SendNext(t.Context(), func(context.Context, deadletter.Letter) error { return errors.New("broker is away") })
	require.ErrorContains(t, err, "letter 1: broker is away")
	state, _ := s.state(t, 1)
	require.Equal(t, "requeue_asked", state)
	found, err := s.SendNext(t.Context(), func(context.Context, deadletter.Letter) error {
		return &deadletter.RefusedError{Reason: "no queue takes it"}
	})
	require.NoError(t, err)
	require.True(t, found)
	state, text := s.state(t, 1)
	require.Equal(t, []string{"kept", "no queue takes it"}, []string{state, text})
	s.ask(t, 1) // once repaired, it may be asked for again
	_, err = s.SendNext(t.Context(), func(context.Context, deadletter.Letter) error { return nil })
	require.NoError(t, err)
	var history []string
	require.NoError(t, s.admin.QueryRow(t.Context(), `
select array_agg(state::text || ' ' || coalesce(note, '') order by id) from casino.dead_letter_events`).Scan(&history))
	require.Equal(t, []string{"requeue_asked repaired", "kept no queue takes it", "requeue_asked repaired", "requeued "}, history)
}

func TestSendNext_TwoServicesSendEachLetterOnce(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	const n = 60
	for i := range n {
		s.keep(t, sample(string(rune('a'+i))))
		s.ask(t, int64(i+1))
	}
	var mu sync.Mutex
	sent := map[int64]int{}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for found := true; found; {
				var err error
				found, err = s.SendNext(context.Background(), func(_ context.Context, l deadletter.Letter) error {
					mu.Lock()
					defer mu.Unlock()
					sent[l.ID]++
					return nil
				})
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	require.Len(t, sent, n)
	for id, times := range sent {
		require.Equal(t, 1, times, id)
	}
}

func requireCode(t *testing.T, err error, code string) {
	t.Helper()
	var refused *pgconn.PgError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, code, refused.Code, refused.Message)
}
