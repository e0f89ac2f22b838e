// Package withdrawal is casino's side of a withdrawal: its state machine, the
// jobs that have gaming take its amount or give it back, the request for its
// payout, and the cases that a person has to look at.
//
// # States
//
//	requested -> debited -> paid
//	requested -> rejected           the wallet refused it, or it was called off
//	debited   -> rejected           the payout was definitely rejected
//	rejected  -> reversed           the money is back, or was never taken
//
// There is no other move: paid and reversed are final. The database enforces
// it.
//
// # Invariants
//
//   - requested commits with the job that debits it, debited with the receipt and
//     the job that asks for the payout, rejected with the job that gives the
//     money back.
//   - The key of the debit and of its reversal at gaming is the withdrawal's id. A
//     reply that is lost leaves the outcome unknown; the retry gets the receipt of
//     the first time and how the withdrawal stands now.
//   - A payout is asked for only while the withdrawal is debited, at least once,
//     always under the same message id. It is paid once: a payout pays one
//     withdrawal, and what was given back is never paid.
//   - An unknown outcome stays debited: only a definite rejection gives back.
//   - A rejection always goes by gaming, also of what was not debited: an attempt
//     whose reply was lost may still be on its way, and gaming closes the id to it.
//   - A rejection after the withdrawal was paid, and a payment of one that was
//     rejected, move nothing: a person decides.
//
// # Failure
//
// A debit or a reversal is tried as package job says; every failure stands on
// the withdrawal and in its history. What the wallet refuses (no funds, frozen)
// is a rejection, not a failure. After the last failure, or at once where the
// answer can never change, a case is opened.
//
// # Lock order
//
// The withdrawal's row, then payouts, jobs, events, cases, and the message last.
package withdrawal
