// Package history brings the movements from before the ledger into it, below
// the entry that opened each wallet, and proves that they belong there.
//
// # What holds
//
//   - Today's balances never move. A wallet's history has negative seqs and ends
//     exactly where the live chain begins, or it is refused as a whole, with the
//     first row that does not fit.
//   - A wallet's history and its checkpoint are one transaction. Killed at any
//     point and started again, a run writes what is missing and nothing twice:
//     an import is named by a digest of its source, its mapping and its range.
//   - Movements keep their kinds and keys, and those that are unique over all
//     wallets their receipts. A resend across the cutover finds them and moves
//     nothing.
//   - A seal on the live chain, an entry of zero, says what was brought in: rows,
//     sums, the hash of the last entry, the digest of the source. From then on
//     the live chain vouches for the history.
//
// History may come in parts, the newest first: [Options.Since] brings in what
// providers may still resend before the brand goes live, and a later run with
// [Options.Until] what is older. Each part's hashes begin anew, since what lies
// before it is not known yet; its balances join without a hole.
//
// # How
//
// The source is read once and sorted by wallet through files, so that memory
// stays flat. Then batches of wallets are written: their rows are locked in the
// order of their ids, as posting does, their histories judged and hashed, copied
// to a temporary table, and inserted with receipts, checkpoints and seals. Where
// somebody waits for a lock, the next batch waits too and is smaller.
package history
