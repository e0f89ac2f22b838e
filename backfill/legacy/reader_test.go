package legacy_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/backfill/history"
	"github.com/walletctl/walletctl/backfill/legacy"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/record"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// A query is what history takes instead of files.
var _ history.Feed = (*legacy.Reader)(nil)

const mapping = `
format: csv
units: {"*": main}
sign: {by: kind}
time: {layout: rfc3339}
order: sequence
namespace: "games:"
fields: {brand: brand, user: player, currency: currency, kind: kind, id: txn, real: amount, time: at, sequence: n}
kinds: {bet: bet, win: win, deposit: {kind: deposit, namespace: ""}}
ignore: [extra]
`

// movements is a table of every type that matters, and n rows in it.
const movements = `
create table public.movements (
  n        bigint primary key,
  brand    text not null,
  player   varchar(80) not null,
  currency text not null,
  kind     text not null,
  txn      text,
  amount   numeric(20,4) not null,
  ratio    double precision not null default 0.5,
  at       timestamptz not null,
  extra    jsonb
);
insert into public.movements
select n, 'acme', 'u-' || n %% 100, 'EUR', case when n %% 3 = 0 then 'win' else 'bet' end,
  case when n %% 10 <> 0 then 't-' || n end, n / 100.0, 0.1, '2024-01-02 03:04:05.25+00'::timestamptz + n * interval '1 second',
  case when n %% 2 = 0 then jsonb_build_object('a', n, 'é', null) end
from generate_series(1, %d) n`

const query = `select n, brand, player, currency, kind, txn, amount, at, extra from public.movements order by n;`

// endless gives more rows than anybody waits for.
const endless = `
select generate_series(1, 1000000000000) as n, 'acme' as brand, 'u' as player, 'EUR' as currency, 'bet' as kind, 't' as txn,
  1::numeric as amount, now() as at, null as extra
from (select 1 as one order by one) o`

// old is a legacy database with n movements.
func old(t testing.TB, n int) *pgxpool.Pool {
	t.Helper()
	db := wallettest.NewDatabase(t)
	pool := db.Pool(t, wallettest.Owner, func(c *pgxpool.Config) { c.MaxConns = 2 })
	_, err := pool.Exec(t.Context(), fmt.Sprintf(movements, n))
	require.NoError(t, err)
	return pool
}

func options(t testing.TB, pool *pgxpool.Pool, query string) legacy.Options {
	t.Helper()
	m, err := record.Parse("legacy", []byte(mapping))
	require.NoError(t, err)
	return legacy.Options{Pool: pool, Query: query, Mapping: m}
}

func open(t testing.TB, pool *pgxpool.Pool, query string) *legacy.Reader {
	t.Helper()
	reader, err := legacy.Open(t.Context(), options(t, pool, query))
	require.NoError(t, err)
	return reader
}

func read(reader *legacy.Reader) (records []record.Record, errs []error) {
	for rec, err := range reader.Records() {
		if err != nil {
			errs = append(errs, err)
		} else {
			records = append(records, rec)
		}
	}
	return records, errs
}

func TestReader_ReadsEveryTypeAsItsText(t *testing.T) {
	t.Parallel()
	reader := open(t, old(t, 30), query)
	records, errs := read(reader)
	require.Empty(t, errs)
	require.Len(t, records, 30)
	first := records[0]
	require.Equal(t, record.Record{
		Position: record.Position{File: "query", Line: 1}, Brand: "acme", User: "u-1", Currency: "EUR", Kind: walletcore.KindBet,
		ID: "games:t-1", Real: walletcore.MustParseMoney("-0.01"), Time: time.Date(2024, 1, 2, 3, 4, 6, 250_000_000, time.UTC), Sequence: 1,
	}, first)
	require.Empty(t, records[9].ID)
	require.NotZero(t, records[9].Digest)
	require.Equal(t, walletcore.MustParseMoney("0.30"), records[29].Real, "a win")
	summary := reader.Summary()
	require.EqualValues(t, 30, summary.Files[0].Rows)
	require.Len(t, summary.Totals, 2)
	require.Equal(t, "-3.00000000", summary.Totals[0].Real.String())
	require.Equal(t, "1.65000000", summary.Totals[1].Real.String())
	read, size := reader.Progress()
	require.Equal(t, summary.Files[0].Bytes, read)
	require.EqualValues(t, -1, size)
}

// Whose session it is does not count, one changed value does.
func TestReader_TheSameDataHasTheSameDigest(t *testing.T) {
	t.Parallel()
	pool := old(t, 500)
	digest := func() record.Digest {
		reader := open(t, pool, query)
		_, errs := read(reader)
		require.Empty(t, errs)
		return reader.Summary().SHA256
	}
	first := digest()
	_, err := pool.Exec(t.Context(), fmt.Sprintf(`
alter database %[1]q set timezone = 'Asia/Tokyo';
alter database %[1]q set datestyle = 'German'`, pool.Config().ConnConfig.Database))
	require.NoError(t, err)
	pool.Reset()
	var zone string
	require.NoError(t, pool.QueryRow(t.Context(), `show timezone`).Scan(&zone))
	require.Equal(t, "Asia/Tokyo", zone)
	require.Equal(t, first, digest())
	_, err = pool.Exec(t.Context(), `update public.movements set txn = '' where n = 10`)
	require.NoError(t, err)
	require.NotEqual(t, first, digest(), "an empty text is no NULL")
}

// A row that is no record is told, and reading goes on.
func TestReader_ABadRowIsARowError(t *testing.T) {
	t.Parallel()
	pool := old(t, 3)
	_, err := pool.Exec(t.Context(), `
insert into public.movements (n, brand, player, currency, kind, amount, at) values
  (4, 'acme', 'u-1', 'EUR', 'other', 1, now()), (5, 'acme', 'u-1', 'EUR', 'bet', 'NaN', now()),
  (6, 'acme', 'u-1', 'EUR', 'bet', 1, 'infinity'), (7, 'acme', 'u-1', 'EUR', 'bet', 1, '0044-03-15 BC'),
  (8, 'acme', 'u-1', 'EUR', 'bet', -1, now()), (9, 'acme', '', 'EUR', 'bet', 1, now())`)
	require.NoError(t, err)
	records, errs := read(open(t, pool, query))
	require.Len(t, records, 3)
	require.Len(t, errs, 6)
	for i, want := range []string{
		`query:4:5: kind "other" is not mapped`, `query:5:7: real "NaN"`, `query:6:8: time "infinity"`, `query:7:8: time "0044-03-15`,
		`query:8:7: real "-1.0000" has a sign`, `query:9:3: user is empty`,
	} {
		require.ErrorContains(t, errs[i], want)
		var row *record.RowError
		require.ErrorAs(t, errs[i], &row)
	}
}

// What breaks off in the middle is the last that is heard, and no summary.
func TestReader_AnErrorInTheMiddleIsNoEnd(t *testing.T) {
	t.Parallel()
	pool := old(t, 5_000)
	reader := open(t, pool, `
select n, brand, player, currency, kind, txn, (amount / (4000 - n))::numeric(20,4) as amount, at, extra
from public.movements
order by n`)
	records, errs := read(reader)
	require.Len(t, errs, 1)
	require.ErrorContains(t, errs[0], "division by zero")
	require.Less(t, len(records), 4_000)
	var file *record.FileError
	require.ErrorAs(t, errs[0], &file)
	require.EqualValues(t, len(records)+1, file.Line)
	require.Empty(t, reader.Summary().Files)
	requireFree(t, pool)
}

func TestReader_ALostConnectionIsNoEnd(t *testing.T) {
	t.Parallel()
	pool := old(t, 1)
	var errs []error
	n := 0
	for _, err := range open(t, pool, endless).Records() {
		if err != nil {
			errs = append(errs, err)
		}
		if n++; n == 1 {
			_, err := pool.Exec(t.Context(), `
select pg_terminate_backend(pid)
from pg_stat_activity
where datname = current_database() and pid <> pg_backend_pid() and query like '%generate_series%'`)
			require.NoError(t, err)
		}
	}
	require.Len(t, errs, 1)
	require.NotErrorIs(t, errs[0], context.Canceled)
	requireFree(t, pool)
}

func TestReader_CancellingEndsIt(t *testing.T) {
	t.Parallel()
	pool := old(t, 1)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	reader, err := legacy.Open(ctx, options(t, pool, endless))
	require.NoError(t, err)
	var last error
	n := 0
	for _, err := range reader.Records() {
		if n++; n == 10 {
			cancel()
		}
		last = err
	}
	require.ErrorIs(t, last, context.Canceled)
	require.Equal(t, 11, n)
	requireFree(t, pool)
}

// A query that gives nothing for hours is cancelled as well, on the server too.
func TestReader_CancellingEndsAQueryThatIsSilent(t *testing.T) {
	t.Parallel()
	pool := old(t, 1)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	reader, err := legacy.Open(ctx, options(t, pool, `
select n, brand, player, currency, kind, txn, amount, at, extra
from public.movements, pg_sleep(600)
order by n`))
	require.NoError(t, err)
	const sleeping = `
select count(*)
from pg_stat_activity
where datname = current_database() and state = 'active' and wait_event = 'PgSleep'`
	asleep := func(want int) func() bool {
		return func() bool {
			var n int
			return pool.QueryRow(t.Context(), sleeping).Scan(&n) == nil && n == want
		}
	}
	go func() {
		defer cancel()
		ticker := time.NewTicker(10 * time.Millisecond)
		defer ticker.Stop()
		for !asleep(1)() && ctx.Err() == nil {
			<-ticker.C
		}
	}()
	_, errs := read(reader)
	require.Len(t, errs, 1)
	require.ErrorIs(t, errs[0], context.Canceled)
	require.Eventually(t, asleep(0), 10*time.Second, 10*time.Millisecond)
}

// Whoever stops early gives the connection back without reading the rest.
func TestReader_StoppingEarlyFreesTheConnection(t *testing.T) {
	t.Parallel()
	pool := old(t, 1)
	reader := open(t, pool, endless)
	for range reader.Records() {
		break
	}
	requireFree(t, pool)
}

// requireFree: all connections of the pool can be had.
func requireFree(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for range pool.Config().MaxConns {
		conn, err := pool.Acquire(ctx)
		require.NoError(t, err)
		defer conn.Release()
		var n int
		require.NoError(t, conn.QueryRow(ctx, `select 1`).Scan(&n))
	}
}
