// Package adjust is corrections of balances by employees: one asks, another
// approves, gaming posts.
//
// # States
//
//	requested -> approved -> posted
//	requested -> rejected | cancelled | expired
//	approved  -> refused        gaming could not post it: it would go below zero
//
// A state is nowhere written: it follows from the steps that were taken, which
// are append-only, and from the ledger.
//
// # What the database holds, whoever asks
//
//   - Who asks and who approves is the database's login, and never the same.
//     Triggers write it down, so that the owner of the tables cannot lend a name
//     either.
//   - What is asked for is never changed. An adjustment entry must be exactly what
//     was approved, and only gaming writes entries, which cannot approve.
//   - Within an approver's own limits one approval is enough; above them, or above
//     the requester's, a second approver is needed. What one person does at the
//     same time adds up.
//   - An adjustment is posted whole or refused: it is never cut to what is there.
//     Below zero only where the request says so, and its approvers may.
//   - Steps of one adjustment are taken one after the other, under an advisory
//     lock that posting takes as well, behind the wallet's. Who holds it locks no
//     wallet.
//
// gaming is told by NOTIFY, and looks by itself every few seconds; the
// adjustment's id is the key, so it is posted once, however many gamings there
// are and whenever they die.
package adjust
