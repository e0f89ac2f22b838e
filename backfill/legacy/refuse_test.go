package legacy_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/backfill/legacy"
	"github.com/walletctl/walletctl/walletcore/record"
)

// Nothing that the query says can write to the legacy database.
func TestReader_NeverWrites(t *testing.T) {
	t.Parallel()
	pool := old(t, 3)
	_, err := pool.Exec(t.Context(), `
create sequence public.s;
create function public.wipe() returns numeric language plpgsql as $$ begin delete from public.movements; return 1; end $$`)
	require.NoError(t, err)
	for _, bad := range []string{
		`with gone as (delete from public.movements returning *) select n, brand, player, currency, kind, txn, amount, at, extra from gone order by n`,
		`delete from public.movements returning n, brand, player, currency, kind, txn, amount, at, extra /* order by */`,
		`select n, brand, player, currency, kind, txn, public.wipe() as amount, at, extra from public.movements order by n`,
		`select nextval('public.s') as n, brand, player, currency, kind, txn, amount, at, extra from public.movements order by n`,
		`select n, brand, player, currency, kind, txn, amount, at, extra from public.movements order by n for update`,
		`update public.movements set amount = 0 /* order by */`,
		`commit /* order by */`,
		`set transaction read write /* order by */`,
		`select 1 /* order by */; delete from public.movements`,
	} {
		reader, err := legacy.Open(t.Context(), options(t, pool, bad))
		if err == nil {
			records, errs := read(reader)
			require.Empty(t, records, bad)
			require.Len(t, errs, 1, bad)
			err = errs[0]
			require.ErrorContains(t, err, "read-only transaction", bad)
		}
		var file *record.FileError
		require.ErrorAs(t, err, &file, bad)
		var rows int
		require.NoError(t, pool.QueryRow(t.Context(), `select count(*) from public.movements where amount > 0`).Scan(&rows))
		require.Equal(t, 3, rows, bad)
	}
	requireFree(t, pool)
}

func TestOpen_RefusesBeforeTheFirstRow(t *testing.T) {
	t.Parallel()
	pool := old(t, 3)
	for query, want := range map[string]string{
		`select n, brand from public.movements order by n`:                                                                          "lacks amount, at, currency, extra, kind, player, txn",
		`select *, 1 as more from public.movements order by n`:                                                                      "undeclared ratio, more",
		`select n, brand, player, currency, kind, txn, ratio as amount, at, extra from public.movements order by n`:                 "column amount is a float: cast it",
		`select n, brand, player, currency, kind, txn, amount::real as amount, at, extra from public.movements order by n`:          "column amount is a float",
		`select n, brand, player, currency, kind, txn, amount::money as amount, at, extra from public.movements order by n`:         "column amount is of type money",
		`select n, brand, player, currency, kind, txn, amount, at, extra, extra from public.movements order by n`:                   "repeats extra",
		`select n, brand, player, currency, kind, txn, amount, at, extra from public.nothing order by n`:                            `relation "public.nothing" does not exist`,
		`select n, brand, player, currency, kind, txn, amount, at, extra form public.movements order by n`:                          "syntax error",
		`select n, brand, player, currency, kind, txn, amount, at, extra from public.movements`:                                     "has no order by",
		`select n, brand, player, currency, kind, txn, amount, at, extra from public.movements where n = $1 order by n`:             "has a parameter",
		`select n, brand, player, currency, kind, txn, amount, at, ratio as extra from public.movements where ratio > 0 order by n`: "",
	} {
		_, err := legacy.Open(t.Context(), options(t, pool, query))
		if want == "" {
			require.NoError(t, err, "a column that is ignored may be anything")
			continue
		}
		require.ErrorContains(t, err, want, query)
	}
	requireFree(t, pool)
}

// A numeric has a decimal point, whatever the columns beside it are written with.
func TestOpen_RefusesAnotherMarkForANumeric(t *testing.T) {
	t.Parallel()
	o := options(t, old(t, 1), query)
	o.Mapping.DecimalMark, o.Mapping.ThousandsMark = ",", "."
	_, err := legacy.Open(t.Context(), o)
	require.ErrorIs(t, err, legacy.ErrMark)
	o.Query = `
select n, brand, player, currency, kind, txn, '1.234,50' as amount, at, extra
from public.movements
order by n`
	reader, err := legacy.Open(t.Context(), o)
	require.NoError(t, err)
	records, errs := read(reader)
	require.Empty(t, errs)
	require.Equal(t, "-1234.50000000", records[0].Real.String())
}
