package record_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/record"
)

const tableMapping = `
format: csv
units: {"*": main}
sign: {by: kind}
time: {layout: rfc3339}
order: file
namespace: "{provider}:"
fields: {brand: brand, user: player, currency: currency, kind: kind, id: id, real: amount, time: at}
kinds: {bet: bet, win: win, note: skip}
`

var tableColumns = []string{"id", "provider", "brand", "player", "currency", "kind", "amount", "at"}

// tableRow is a row of tableColumns; - is NULL.
func tableRow(text string) [][]byte {
	var row [][]byte
	for value := range strings.SplitSeq(text, ",") {
		if value == "-" {
			row = append(row, nil)
		} else {
			row = append(row, []byte(value))
		}
	}
	return row
}

// newTable reads rows, and then ends with an error.
func newTable(ctx context.Context, t *testing.T, columns []string, end error, rows ...string) (*record.Table, error) {
	t.Helper()
	mapping, err := record.Parse("test", []byte(tableMapping))
	require.NoError(t, err)
	return record.NewTable(ctx, mapping, "query", columns, func() ([][]byte, error) {
		if len(rows) == 0 {
			return nil, end
		}
		row := tableRow(rows[0])
		rows = rows[1:]
		return row, nil
	})
}

func readTable(t *testing.T, table *record.Table) (records []record.Record, errs []error) {
	t.Helper()
	for rec, err := range table.Records() {
		if err != nil {
			errs = append(errs, err)
		} else {
			records = append(records, rec)
		}
	}
	return records, errs
}

const goodRow = "1,games,acme,u-1,EUR,bet,1.50,2024-01-02T03:04:05Z"

func TestTable_ReadsRowsAsAFileWouldBeRead(t *testing.T) {
	t.Parallel()
	table, err := newTable(t.Context(), t, tableColumns, io.EOF, goodRow,
		"-,games,acme,u-1,EUR,win,2,2024-01-02T03:04:05Z", "3,games,acme,u-1,EUR,note,x,y", "4,games,acme,u-1,EUR,bet,1e3,2024-01-02T03:04:05Z",
		"5,games,acme,-,EUR,bet,1,2024-01-02T03:04:05Z", "6,games,acme,u\xff,EUR,bet,1,2024-01-02T03:04:05Z")
	require.NoError(t, err)
	records, errs := readTable(t, table)
	require.Len(t, records, 2)
	require.Equal(t, "games:1", records[0].ID)
	require.Equal(t, walletcore.MustParseMoney("-1.50"), records[0].Real)
	require.Equal(t, "query:2", records[1].Position.String())
	require.Empty(t, records[1].ID)
	require.NotZero(t, records[1].Digest)
	require.Len(t, errs, 3)
	require.ErrorContains(t, errs[0], `query:4:7: real "1e3" `)
	require.ErrorContains(t, errs[1], `query:5:4: user is empty`)
	require.ErrorContains(t, errs[2], `query:6:4: player`)
	s := table.Summary()
	require.Equal(t, []int64{2, 1, 3}, []int64{s.Files[0].Rows, s.Files[0].Skipped, s.Files[0].Refused})
	require.Len(t, s.Totals, 2)
	read, size := table.Progress()
	require.Equal(t, s.Files[0].Bytes, read)
	require.EqualValues(t, -1, size)
}

// Any value, NULL or empty, a seam between two, or the order makes another
// digest; the same rows have the same.
func TestTable_DigestIsOverTheRows(t *testing.T) {
	t.Parallel()
	const other = "2,games,acme,u-1,EUR,bet,1.50,2024-01-02T03:04:05Z"
	digests := map[record.Digest][]string{}
	for _, rows := range [][]string{
		{goodRow},
		{goodRow, goodRow},
		{goodRow, other},
		{other, goodRow},
		{strings.Replace(goodRow, "1.50", "1.500", 1)},
		{strings.Replace(goodRow, "1,games", "-,games", 1)},
		{strings.Replace(goodRow, "1,games", ",games", 1)},
		{strings.Replace(goodRow, "1,games", "1g,ames", 1)},
	} {
		for range 2 {
			table, err := newTable(t.Context(), t, tableColumns, io.EOF, rows...)
			require.NoError(t, err)
			_, errs := readTable(t, table)
			require.Empty(t, errs)
			digest := table.Summary().SHA256
			if there, ok := digests[digest]; ok {
				require.Equal(t, there, rows)
			}
			digests[digest] = rows
		}
	}
	require.Len(t, digests, 8)
}

func TestTable_RefusesOtherColumnsBeforeTheFirstRow(t *testing.T) {
	t.Parallel()
	for want, columns := range map[string][]string{
		"lacks at":                      tableColumns[:7],
		"has the undeclared more":       append([]string{"more"}, tableColumns...),
		"repeats id":                    append([]string{"id"}, tableColumns...),
		"lacks id; has the undeclared ": append([]string{"ID"}, tableColumns[1:]...),
	} {
		_, err := newTable(t.Context(), t, columns, io.EOF)
		var file *record.FileError
		require.ErrorAs(t, err, &file)
		require.ErrorContains(t, err, want)
	}
	mapping, err := record.Named("ledger-debit-credit")
	require.NoError(t, err)
	_, err = record.NewTable(t.Context(), mapping, "query", nil, nil)
	require.ErrorContains(t, err, "footer must be empty")
}

// What breaks off is no end: it is the last thing that is heard, and the
// summary does not count it.
func TestTable_EndsWithWhatBrokeIt(t *testing.T) {
	t.Parallel()
	broken := errors.New("division by zero")
	table, err := newTable(t.Context(), t, tableColumns, broken, goodRow, goodRow)
	require.NoError(t, err)
	records, errs := readTable(t, table)
	require.Len(t, records, 2)
	require.Len(t, errs, 1)
	require.EqualError(t, errs[0], "query:3: division by zero")
	require.ErrorIs(t, errs[0], broken)
	require.Empty(t, table.Summary().Files)

	table, err = newTable(t.Context(), t, tableColumns, io.EOF, goodRow, strings.Repeat("x", 1<<20+1)+goodRow[1:], goodRow)
	require.NoError(t, err)
	_, errs = readTable(t, table)
	require.Len(t, errs, 1)
	require.ErrorIs(t, errs[0], record.ErrRowTooLong)

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	table, err = newTable(ctx, t, tableColumns, io.EOF, goodRow, goodRow)
	require.NoError(t, err)
	for _, err := range table.Records() {
		if ctx.Err() != nil {
			require.ErrorIs(t, err, context.Canceled)
		}
		cancel()
	}
	require.Empty(t, table.Summary().Files)
}
