// Package chaincheck answers one question from a streaming replica: is every
// wallet's chain closed? It detects, never repairs, and writes nothing to any
// database.
//
// # What is looked at
//
// Every wallet's head is compared with its last entry, both read in one
// statement and so in one snapshot, and with the checkpoint. What lies before
// a head cannot change any more, so the entries are then read in short
// statements of their own, in the order (wallet, seq), and followed link by
// link: seq, balances, direction, keyed hash.
//
// How far back a wallet is read:
//
//   - all: from its opening;
//   - window: from the entry before its first one in the window, or from its
//     place in the checkpoint, whichever is earlier. What came after the last
//     good run is therefore read at least once, however its recorded_at reads.
//
// Where all is read, entries come in the order of the primary key or of the
// table, whichever visits fewer pages. The table has a wallet's entries in the
// order of seq but for what concurrent writers did at the same moment; an entry
// that comes before its predecessor waits for it, and a wallet that is too much
// out of order is read again by its key.
//
// The window begins at the earlier of 25 hours ago and one hour before the
// last good run, so that a cron that failed for a week looks at that week.
// recorded_at selects, it never orders: clocks step.
//
// # Never a false alarm
//
// A wallet that looks broken is read once more, head and entries in one
// statement, and reported as that second reading shows it. Entries newer than
// the head of their snapshot are left to the next run.
//
// # Never a false "closed"
//
// A statement that recovery cancelled, or whose connection died, is repeated
// from where it stopped, a bounded number of times. What still could not be
// read makes the report [StatusUnknown]. So does a replica that is not
// connected to its primary: it may be perfectly closed and days old. A replica
// that has replayed all it was sent and is connected has no lag, however idle
// the primary is; one that is behind by more than MaxLag is a warning.
//
// # Receipts
//
// What must be unique over all wallets has a receipt. Over the whole ledger the
// entries and the receipts are compared as two sums; only where those differ,
// and in a window, is each entry's receipt looked up.
//
// # The checkpoint
//
// Cutting off the last entries together with the balance leaves a chain that
// is closed. What finds that is a file outside the database: seq, hash and
// balances of every wallet as the last good run saw them, signed with the
// ledger's active key. A wallet below its place there, or with another hash at
// it, is [KindTruncated]. A wallet moves forward in the file only by a run that
// read it whole and found nothing; one that is broken keeps its old place, and
// so is found again by every later run. A file that was tampered with or cannot
// be read makes the report [StatusUnknown] and is left as it is, for a person
// to look at and move away. So does a replica that has not come as far as the
// run that wrote the file: what it lacks may be nobody's fault.
package chaincheck
