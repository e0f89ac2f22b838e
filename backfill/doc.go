// Package backfill opens brands: it brings in what their players had before
// this ledger, once, and proves it.
//
// # A brand's states
//
//	closed -> importing -> live
//	closed ----------------> live   of a brand that has nothing to bring in
//
// A brand only goes forward. Each step is a row of gaming.brand_changes, with the
// login that took it; the database refuses a state without its step, a step back,
// and both for its owner as well. Only live brands take movements, and only live
// brands give birth to wallets; only importing ones let wallets be brought in.
//
// # What holds
//
//   - A wallet comes in with its balance in one statement with the entry that
//     opens its chain, brought_forward at seq 0: there is no balance without it.
//   - It comes in once. The same balance again is passed over, so that a run
//     that was killed is run again; another one is refused by name, and the
//     others go on.
//   - Going live waits for transactions that bring wallets in, and keeps others
//     out until it is committed. Postings rely on a brand being live without a
//     lock: it stays so.
//   - A brand goes live with exactly what was declared, in every currency, and
//     with the history that providers may send again, or with a reason that is
//     kept.
//   - Two runs over one brand exclude each other, by an advisory lock of the
//     session: a pooler in transaction mode cannot stand in between.
//
// # Locks
//
// The advisory lock of the brand's opening, the brand's row, wallets by id.
package backfill
