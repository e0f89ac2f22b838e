// Package record reads the files in which others, or older systems, keep
// movements of money: exports of a ledger, settlement files, reports.
//
// A [Mapping] declares how a source writes its rows, [Open] reads them, and
// [Reader.Records] gives each as a [Record]. The package is pure: files and
// bytes in, records out. What a record then means, and what is done with one
// that came before, is its caller's business.
//
// # What holds
//
//   - Nothing is guessed. A column, a unit, a word for a kind or a status, a
//     time zone, that is not declared, is an error.
//   - Nothing is lost in silence. Each row is a record, is skipped as declared
//     and counted, or is a *[RowError] with file, line and column. A file that
//     is cut off, or that its own footer contradicts, ends in a *[FileError].
//   - Money is read from its digits, by the rules of walletcore: never through
//     a float, never rounded.
//   - Memory is flat: one row at a time, at most 1 MiB long.
//   - The digest of a [Summary] is over the bytes as they are stored, so that an
//     auditor can compare it with that of the file that was delivered.
//
// A caller that writes what it reads must be able to take it back, or read
// twice: only behind the last row is it known that a file was whole.
package record
