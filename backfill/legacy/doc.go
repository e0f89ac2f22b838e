// Package legacy reads older movements from the PostgreSQL database that they
// are in, by a query of the operator's, as package record reads files.
//
// What holds:
//
//   - Nothing is written there: the query runs alone, in a read-only transaction
//     of one snapshot, and must give rows.
//   - Values come as the text of their type and pass through the same mapping as
//     a file's: declared columns, units, signs, kinds. A timestamptz comes as RFC
//     3339 in UTC, a timestamp as 2006-01-02 15:04:05.999999, NULL as an empty text.
//   - No amount passes through a float: a column of such a type, or of money,
//     whose text depends on a locale, is refused before the first row.
//   - Memory is flat: rows are taken as they are read, and none is kept.
//   - The rows have an order. The digest of the summary is over every value of
//     every row, so that two readings of the same data have the same one.
//   - What breaks off, at whatever row, is an error and never an end.
package legacy
