// Package ledger is the money path on PostgreSQL: the only writer of wallets,
// entries and receipts.
//
// # One way in
//
// [Ledger.Post] takes a batch of requests, each of which stands whole or not at
// all; a single movement is a batch of one. It is two round trips:
//
//  1. BEGIN; one statement that takes the advisory locks of the operations and
//     then the wallets FOR UPDATE; then, as separate statements, what the ledger
//     already holds of these keys, and the clock. Separate, because a statement
//     sees what was committed before it began, and it began before it waited
//     for the lock.
//  2. One statement that moves the balances, writes the entries and the
//     receipts, and the COMMIT behind it.
//
// Between them each movement is decided in order, in Go, under the locks:
// replayed (its receipt), conflict (its key, other content), refused, or
// applied. The hash of an entry is made of the expected balances; the statement
// writes it only where the UPDATE arrived at exactly these.
//
// # Brands
//
// A brand is closed, importing or live, and only goes forward. Its state is read
// with the look-ups of step 1, after the locks: what is not live gets a
// *walletcore.NotLiveError, to be sent again, and leaves nothing behind, neither
// a wallet nor a tombstone. Whoever saw it live may rely on that without a lock.
//
// # Lock order
//
// Operations by hash, wallets by id, entries, receipts by key. There is no
// other order anywhere, so there is no cycle.
//
// # What may go wrong
//
//   - A unique violation, a deadlock, a serialization failure, a lock or
//     statement time-out: the whole transaction rolled back, balance included;
//     it is tried again a bounded number of times, with jitter, and counted.
//     After a unique violation the next look-up finds the original.
//   - A connection lost before COMMIT was sent: nothing happened; tried again.
//   - A connection lost during COMMIT: unknown. It is tried again with the same
//     key, and the look-up of step 1, which waits behind the old transaction's
//     locks where that still runs, tells which it was.
//   - The database stays away: *[UnavailableError], which says whether the
//     outcome is unknown. The caller repeats with the same key.
//
// A refusal leaves nothing behind. The triggers of the schema hold the same
// rules against every other client; this package does not rely on being alone.
package ledger
