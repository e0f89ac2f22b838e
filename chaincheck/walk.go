package chaincheck

import (
	"github.com/google/uuid"

	"github.com/walletctl/walletctl/walletcore"
)

// walk goes through the heads of a chunk and through the entries that belong
// to them, both in the order of wallet ids, side by side.
type walk struct {
	heads    []head
	verifier *verifier
	decoder  entryDecoder
	broken   func(h *head, findings []Finding, extra int64)
	orphan   func(wallet uuid.UUID)

	next    int // the first head that is not finished
	started bool
	entry   walletcore.Entry
	at      entryKey // the last entry taken
	moved   bool     // one was taken since this was last cleared
	rows    int      // rows taken since this was last cleared
}

// take is given each entry in order.
func (w *walk) take(fields [][]byte) error {
	err := w.decoder.decode(fields, &w.entry)
	if !isAmount(err) {
		return err
	}
	id := w.entry.WalletID
	w.finishBefore(id)
	if w.next < len(w.heads) && w.heads[w.next].id == id {
		w.start()
		w.verifier.entry(&w.entry, err)
	} else if w.orphan != nil && (id != w.at.wallet || !w.moved) {
		w.orphan(id)
	}
	w.at, w.moved = entryKey{id, w.entry.Seq}, true
	w.rows++
	return nil
}

func (w *walk) start() {
	if !w.started {
		w.verifier.begin(&w.heads[w.next])
		w.started = true
	}
}

// finishBefore finishes the wallets before an id: no entry of theirs comes any
// more.
func (w *walk) finishBefore(id uuid.UUID) {
	for w.next < len(w.heads) && compareIDs(w.heads[w.next].id, id) < 0 {
		w.finish()
	}
}

// finishAll is called when all entries asked for were read.
func (w *walk) finishAll() {
	for w.next < len(w.heads) {
		w.finish()
	}
}

func (w *walk) finish() {
	w.start()
	if findings, extra := w.verifier.end(); len(findings) > 0 {
		w.broken(w.verifier.head, findings, extra)
	}
	w.next++
	w.started = false
}
