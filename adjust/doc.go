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
//   - What is asked for is never changed. An approval is a row that only
//     approve_adjustment can write; an adjustment entry must be exactly what was
//     approved, and only gaming writes entries.
//   - Within an approver's own limits one approval is enough; above them, or above
//     the requester's, a second approver is needed.
//   - An adjustment is posted whole or refused: it is never cut to what is there.
//
// gaming is told by NOTIFY, and looks by itself every few seconds; the
// adjustment's id is the key, so it is posted once.
package adjust
