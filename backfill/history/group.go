package history

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/record"
)

// duplicateSuffix stands between a key that was taken and the number that sets
// the later movement apart; maxDigits is room for that number.
const (
	duplicateSuffix = "~"
	maxDigits       = 10
)

// group is the whole history of one wallet, in order.
type group struct {
	wallet      uuid.UUID
	user        string
	currency    string
	rows        int64
	real, bonus walletcore.Money // the sums
	first, last time.Time        // the earliest and the latest
	newest      row              // the latest, as an example
	identical   int64            // rows that were there before in every field, left out
	left        totals           // what they come to
	kept        int64            // movements under a key that was taken, marked
	refused     *Refusal         // why it cannot be written; nil where it may
	spool       spool
	seen        map[[16]byte]sighting // by kind and id
	scratch     []byte
}

// sighting is a movement under some key.
type sighting struct {
	content  [16]byte // a digest of what it says
	position record.Position
	times    int
}

// add takes the wallet's next row. The error is of the spool.
func (g *group) add(r *row, duplicates record.Duplicates) error {
	if g.seen == nil {
		g.user, g.currency, g.seen = r.user, r.currency, map[[16]byte]sighting{}
	}
	if !g.name(r, duplicates) {
		return nil
	}
	g.rows++
	g.real, g.bonus = g.real.Add(r.real), g.bonus.Add(r.bonus)
	if !g.real.InRange() || !g.bonus.InRange() {
		g.refuse(ReasonOverflow, r, "the sum of the movements is beyond any balance")
	}
	if g.first.IsZero() || r.at.Before(g.first) {
		g.first = r.at
	}
	if r.at.After(g.last) || g.rows == 1 {
		g.last, g.newest = r.at, *r
	}
	g.scratch = r.append(g.scratch[:0])
	var size [4]byte
	binary.BigEndian.PutUint32(size[:], uint32(len(g.scratch)))
	if _, err := g.spool.Write(append(size[:], g.scratch...)); err != nil {
		return err
	}
	return nil
}

// name gives the row the key it is written under, and reports whether it is
// written at all.
func (g *group) name(r *row, duplicates record.Duplicates) bool {
	unkeyed := r.id == ""
	if unkeyed {
		r.id, r.mark = "row:"+hex.EncodeToString(r.digest[:16]), walletcore.MarkUnkeyed
	}
	key := digestOf(string(r.kind), r.id)
	content := digestOf(r.real.String(), r.bonus.String(), r.at.String(), r.reference, r.round)
	before, again := g.seen[key]
	if !again {
		g.seen[key] = sighting{content, r.position, 1}
		return true
	}
	switch {
	case unkeyed:
		// Equal rows without an id are told apart by their number, as a file may
		// well hold the same bet twice.
	case duplicates == record.DuplicatesKept:
		r.mark = walletcore.MarkDuplicate
		g.kept++
	case duplicates == record.DuplicatesSkipped && before.content == content:
		g.identical++
		g.left.add(r.kind, r.currency, r.real, r.bonus)
		return false
	default:
		g.refuseAgain(r, before, content)
		return false
	}
	before.times++
	g.seen[key] = before
	r.id += duplicateSuffix + strconv.Itoa(before.times)
	return true
}

func (g *group) refuseAgain(r *row, before sighting, content [16]byte) {
	if before.content == content {
		g.refuse(ReasonDuplicate, r, fmt.Sprintf("%s %q is at %s as well, the same in every field: declare duplicates",
			r.kind, r.id, before.position))
		return
	}
	g.refuse(ReasonConflict, r, fmt.Sprintf("%s %q is at %s as well, with another content", r.kind, r.id, before.position))
}

// refuse keeps the first reason.
func (g *group) refuse(reason Reason, r *row, detail string) {
	if g.refused == nil {
		g.refused = &Refusal{
			WalletID: g.wallet, User: g.user, Currency: g.currency, Reason: reason,
			Position: r.position.String(), Detail: detail,
		}
	}
}

// each calls do for the rows in order.
func (g *group) each(d *decoder, do func(*row) error) error {
	reader := bufio.NewReaderSize(g.spool.reader(), 1<<16)
	var size [4]byte
	var buffer []byte
	for {
		if _, err := io.ReadFull(reader, size[:]); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		n := int(binary.BigEndian.Uint32(size[:]))
		if cap(buffer) < n {
			buffer = make([]byte, 2*n)
		}
		if _, err := io.ReadFull(reader, buffer[:n]); err != nil {
			return err
		}
		var r row
		d.decode(buffer[:n], &r)
		if err := do(&r); err != nil {
			return err
		}
	}
}

func digestOf(parts ...string) (d [16]byte) {
	h := sha256.New()
	for _, p := range parts {
		_, _ = io.WriteString(h, p)
		_, _ = h.Write([]byte{0})
	}
	copy(d[:], h.Sum(nil))
	return d
}
