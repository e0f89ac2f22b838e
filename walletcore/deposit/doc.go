// Package deposit is casino's side of a deposit: its state machine, the inbox
// that keeps every message of a gateway, the job that has it credited by
// gaming, the effects that a confirmation sets off, and the cases that a
// person has to look at.
//
// # States
//
//	pending -> confirmed -> credited
//	pending -> expired | failed
//	expired -> confirmed        money came late
//	failed  -> confirmed        the player paid after all
//
// There is no other move: confirmed is never downgraded, credited is final,
// whatever the order or the time stamps of messages. The database enforces it.
//
// # Invariants
//
//   - A message is handled once: its row in the inbox commits with what came of
//     it. The same message again gets the recorded outcome.
//   - confirmed commits with its payment, its credit job and its effects, or not
//     at all. The payment is unique by (gateway, account, payment id) and by
//     deposit: a payment pays one deposit, a deposit is paid once.
//   - Only the delivery that wins the transition to confirmed raises effects.
//   - The credit's key at gaming is the deposit's id. A reply that is lost leaves
//     the outcome unknown; the retry gets the receipt of the first time.
//   - credited commits with the whole receipt.
//   - What cannot be applied is a case with its reason. Nothing is dropped and
//     nothing is credited blindly: another amount, currency, brand or gateway,
//     or a confirmation after a chargeback, moves nothing.
//   - A chargeback after the confirmation opens a case and does not stop the
//     credit: what the player may keep is for a person to decide.
//
// # Failure
//
// A credit is tried six times: at once, then 1, 2, 4, 8 and 16 times the retry
// base (30 s) after each failure. Every failure stands on the deposit and in
// its history; after the last one a case is opened. An answer that cannot
// change (a conflict, an invalid request) opens its case at once. A process
// that is killed loses nothing: the queue gives its job to another after two
// minutes, and [Service.SweepLost] finds the confirmed deposit whose job is
// given up or gone.
//
// # Lock order
//
// The deposit's row, then payments, jobs, effects, events, cases, and the
// message last.
package deposit
