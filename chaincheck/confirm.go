package chaincheck

import (
	"context"

	"github.com/walletctl/walletctl/walletcore"
)

// confirm reads what looks broken a second time, each wallet in one statement,
// and counts what that reading shows.
func (r *run) confirm(ctx context.Context, c *chunk) {
	for _, h := range c.suspects {
		r.confirmWallet(ctx, h, c.first[h.id])
	}
	for id := range c.orphans {
		r.confirmOrphan(ctx, id)
	}
	if r.options.Brand != "" || c.unread != nil {
		return // a wallet of another brand is not missed
	}
	for i := range c.places {
		if p := &c.places[i]; !p.found {
			r.confirmUnseen(ctx, p)
		}
	}
}

func (r *run) confirmWallet(ctx context.Context, h *head, first suspicion) {
	if r.tally.enough() && !first.unsure {
		h.old = true
		r.tally.addWallet(first.findings, first.extra)
		return
	}
	again, found, err := r.readWhole(ctx, h)
	switch {
	case err != nil:
		h.old = true
		r.tally.addUnread(h.id, h.id, "entries", err)
	case len(found.findings) > 0:
		h.old = true
		r.tally.addWallet(found.findings, found.extra)
	default:
		h.at, h.last, h.empty = again.at, again.last, again.empty
	}
}

// readWhole reads the wallet and its entries from h.from on in one statement.
func (r *run) readWhole(ctx context.Context, h *head) (head, suspicion, error) {
	from := h.from
	if !h.empty {
		from = max(min(from, h.last.seq), 0)
	}
	var again head
	var found suspicion
	err := r.reader.retry(ctx, func() (bool, error) {
		s := &second{verifier: newVerifier(r.deps.Keys), seen: h.seen, from: from}
		if err := r.reader.copyOut(ctx, wholeQuery(h.id, from), s.take); err != nil {
			return false, err
		}
		again, found = s.head, s.end(h)
		return false, nil
	})
	return again, found, err
}

// second verifies one wallet from rows that each hold the head and an entry.
type second struct {
	verifier *verifier
	decoder  entryDecoder
	seen     *standing
	from     int64
	head     head
	begun    bool
}

func (s *second) take(fields [][]byte) error {
	if len(fields) != headWidth+entryWidth {
		return errCopyFormat
	}
	if !s.begun {
		if err := decodeHead(fields, &s.head); err != nil {
			return err
		}
		s.head.from, s.head.seen, s.begun = s.from, s.seen, true
		s.verifier.begin(&s.head)
	}
	if fields[headWidth] == nil {
		return nil // no entry at all
	}
	var e walletcore.Entry
	err := s.decoder.decode(fields[headWidth:], &e)
	if !isAmount(err) {
		return err
	}
	s.verifier.entry(&e, err)
	return nil
}

// end returns what was found. Wallets are never deleted, so one that has
// vanished since the first reading is a break as well.
func (s *second) end(first *head) suspicion {
	if !s.begun {
		gone := head{id: first.id, seen: &first.at}
		return suspicion{findings: []Finding{unseen(&gone)}}
	}
	findings, extra := s.verifier.end()
	return suspicion{findings: findings, extra: extra}
}

func (r *run) confirmUnseen(ctx context.Context, p *placed) {
	h := head{id: p.id, at: p.standing, seen: &p.standing, empty: true}
	found := suspicion{findings: []Finding{unseen(&h)}}
	if !r.tally.enough() {
		var err error
		if _, found, err = r.readWhole(ctx, &h); err != nil {
			r.tally.addUnread(p.id, p.id, "wallets", err)
			return
		}
	}
	r.tally.addWallet(found.findings, found.extra)
}
