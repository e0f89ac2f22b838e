package history

import (
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/walletctl/walletctl/walletcore"
)

// anchor is the lowest entry that a wallet has in the ledger: where a part of
// its history has to end.
type anchor struct {
	known       bool
	seq         int64
	real, bonus walletcore.Money // before it
	opened      time.Time        // when the live chain was opened
	imports     []uuid.UUID      // of the parts that are in
	contents    [][]byte         // what their rows say
}

// judge decides over the history of one wallet, and makes its entries.
type judge struct {
	decoder  decoder
	hasher   *walletcore.Hasher // nil: entries are judged and not hashed
	keyID    int16
	recorded time.Time
	partial  bool // what lies before may come in later
}

// part is a history that fits.
type part struct {
	first, last int64
	real, bonus walletcore.Money // before its first movement
	whole       bool
	head        [walletcore.HashSize]byte
}

var errRefused = errors.New("refused")

// write calls put for each entry of the group, in order. Where the group does
// not fit it returns false, and what was put is to be thrown away; g.refused
// says why.
func (j *judge) write(g *group, a anchor, put func(*walletcore.Entry) error) (part, bool, error) {
	p, ok, err := j.begin(g, a)
	if !ok || err != nil {
		return p, false, err
	}
	e := walletcore.Entry{
		WalletID: g.wallet, Seq: p.first - 1, KeyID: j.keyID, RecordedAt: j.recorded,
		RealAfter: p.real, BonusAfter: p.bonus,
	}
	err = g.each(&j.decoder, func(r *row) error {
		next(&e, r)
		if !j.fits(g, r, &e) {
			return errRefused
		}
		if j.hasher == nil {
			return put(&e)
		}
		var err error
		if e.Hash, err = j.hasher.Sum(p.head, &e); err != nil {
			return err
		}
		p.head = e.Hash
		return put(&e)
	})
	if errors.Is(err, errRefused) {
		return p, false, nil
	}
	return p, err == nil, err
}

// begin decides what can be told from the sums.
func (j *judge) begin(g *group, a anchor) (part, bool, error) {
	p := part{first: a.seq - g.rows, last: a.seq - 1, real: a.real.Sub(g.real), bonus: a.bonus.Sub(g.bonus)}
	p.whole = p.real.IsZero() && p.bonus.IsZero()
	switch {
	case g.refused != nil:
		return p, false, nil
	case !a.known:
		g.refuse(ReasonNoWallet, &g.newest, "the ledger has no such wallet: bring it in with backfill open")
	case g.last.After(a.opened):
		g.refuse(ReasonNewer, &g.newest, fmt.Sprintf("happened at %s, the ledger begins at %s",
			g.newest.at.Format(time.RFC3339Nano), a.opened.Format(time.RFC3339Nano)))
	case !p.whole && !j.partial:
		if err := j.explain(g, a); err != nil {
			return p, false, err
		}
		g.refused.Real, g.refused.Bonus = p.real, p.bonus
	case !p.real.InRange() || !p.bonus.InRange():
		g.refuse(ReasonOverflow, &g.newest, "a balance is beyond what a wallet holds")
	}
	return p, g.refused == nil, nil
}

// fits reports whether the balances that a row shows are those that its
// movements make.
func (j *judge) fits(g *group, r *row, e *walletcore.Entry) bool {
	switch {
	case r.realAfter.Known && r.realAfter.Money != e.RealAfter:
		g.refuse(ReasonBalance, r, fmt.Sprintf("shows real %s, its movements make %s", r.realAfter.Money, e.RealAfter))
		g.refused.Real = r.realAfter.Money.Sub(e.RealAfter)
	case r.bonusAfter.Known && r.bonusAfter.Money != e.BonusAfter:
		g.refuse(ReasonBalance, r, fmt.Sprintf("shows bonus %s, its movements make %s", r.bonusAfter.Money, e.BonusAfter))
		g.refused.Bonus = r.bonusAfter.Money.Sub(e.BonusAfter)
	}
	return g.refused == nil
}

// explain names the first row that does not fit in a history that does not
// close: where the source's own balances part from its movements, else where
// these go below zero, else the last one.
func (j *judge) explain(g *group, a anchor) error {
	var e walletcore.Entry
	var below *row
	err := g.each(&j.decoder, func(r *row) error {
		next(&e, r)
		if below == nil && (e.RealAfter.Sign() < 0 || e.BonusAfter.Sign() < 0) {
			copied := *r
			below = &copied
		}
		if !j.fits(g, r, &e) {
			return errRefused
		}
		return nil
	})
	if err != nil && !errors.Is(err, errRefused) {
		return err
	}
	ends := fmt.Sprintf("it ends at real %s, bonus %s, and the ledger goes on from real %s, bonus %s", g.real, g.bonus, a.real, a.bonus)
	if below != nil {
		g.refuse(ReasonOpen, below, "the first movement below zero; "+ends)
	}
	g.refuse(ReasonOpen, &g.newest, ends)
	return nil
}

// next turns e from the entry of one row into that of the next.
func next(e *walletcore.Entry, r *row) {
	e.Seq++
	e.Kind, e.ExternalID, e.Mark = r.kind, r.id, r.mark
	e.RealBefore, e.RealAfter = e.RealAfter, e.RealAfter.Add(r.real)
	e.BonusBefore, e.BonusAfter = e.BonusAfter, e.BonusAfter.Add(r.bonus)
	e.Reference, e.RoundID, e.OccurredAt = r.reference, r.round, r.at
	e.Actor = r.actor
	if e.Actor == "" {
		e.Actor = "history"
	}
}
