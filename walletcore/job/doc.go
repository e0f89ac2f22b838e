// Package job works what casino must do after a transaction: a job is written
// in the transaction that decided it, so a crash cannot lose it, and is worked
// by any process until it succeeds or is given up. The queue itself is River's.
//
// # Invariants
//
//   - A job is one of its kind for its arguments, for ever: inserting it again
//     finds the one there is, in whatever state.
//   - An attempt that failed is tried again 1, 2, 4, 8 and 16 times the retry
//     base (30 s) after each failure; after the sixth the job is given up and
//     kept. A service hears of each failure before the queue does, and writes it
//     down where people look.
//   - A process that is killed loses nothing: its job is given to another after
//     four times the job's time-out. The queue gives a killed last attempt up by
//     itself; the sweep finds it.
//   - A job that is interrupted because the process stops does not lose an
//     attempt.
//
// One process has one [Queue] for everything it works: the elected leader's
// rescuer gives up jobs of kinds it does not know.
package job
