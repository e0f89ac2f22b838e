package chaincheck

import (
	"context"

	"github.com/google/uuid"
)

const (
	// walletsPerChunk is how many heads are read at once and kept in memory.
	walletsPerChunk = 4_000
	maxOrphans      = 1_000
)

// chunk is some wallets in a row, up to an id.
type chunk struct {
	part     idRange
	heads    []head
	places   []placed // of the checkpoint, in this part
	suspects []*head
	first    map[uuid.UUID]suspicion
	orphans  map[uuid.UUID]bool
	unread   error
}

// suspicion is what the first reading found.
type suspicion struct {
	findings []Finding
	extra    int64
}

// checkRange checks the wallets of a range, chunk by chunk, and writes their
// new places in the checkpoint. A part that cannot be read is noted in the
// tally, and keeps its old places.
func (r *run) checkRange(ctx context.Context, part idRange, out *partFile) {
	v := newVerifier(r.deps.Keys)
	old := r.checkpoint.compared(part)
	for {
		c, last, err := r.nextChunk(ctx, part)
		if err != nil {
			r.tally.addUnread(part.from, part.to, "wallets", err)
			out.keep(old, part.to)
			return
		}
		if c.places, err = old.upTo(c.part.to); err != nil {
			r.tally.addUnread(c.part.from, part.to, "checkpoint", err)
			out.fail(err)
			return
		}
		r.checkChunk(ctx, c, v)
		c.writePlaces(out)
		if last {
			return
		}
		part.from = after(c.part.to)
	}
}

// nextChunk reads the next heads of a range and reports whether they were the
// last. Each time that recovery cancels it, it asks for half as many.
func (r *run) nextChunk(ctx context.Context, part idRange) (*chunk, bool, error) {
	var heads []head
	limit := walletsPerChunk * 2
	err := r.reader.retry(ctx, func() (bool, error) {
		heads, limit = heads[:0], max(limit/2, 1)
		return false, r.reader.copyOut(ctx, headsQuery(part, r.options.Brand, limit), func(fields [][]byte) error {
			heads = append(heads, head{})
			return decodeHead(fields, &heads[len(heads)-1])
		})
	})
	if err != nil {
		return nil, false, err
	}
	last := len(heads) < limit
	if !last {
		part.to = heads[len(heads)-1].id
	}
	return &chunk{part: part, heads: heads, first: map[uuid.UUID]suspicion{}, orphans: map[uuid.UUID]bool{}}, last, nil
}

func (r *run) checkChunk(ctx context.Context, c *chunk, v *verifier) {
	c.attachPlaces()
	w := &walk{heads: c.heads, verifier: v, broken: c.suspect}
	if err := r.readChunk(ctx, c, w); err != nil {
		first := c.part.from
		if w.next < len(c.heads) {
			first = c.heads[w.next].id
		}
		r.tally.addUnread(first, c.part.to, "entries", err)
		c.unread = err
	}
	done := w.next
	r.confirm(ctx, c)
	r.tally.collect(v, done)
}

func (c *chunk) suspect(h *head, findings []Finding, extra int64) {
	c.suspects = append(c.suspects, h)
	c.first[h.id] = suspicion{findings, extra}
}

// attachPlaces tells each head where the checkpoint has it.
func (c *chunk) attachPlaces() {
	i := 0
	for p := range c.places {
		for i < len(c.heads) && compareIDs(c.heads[i].id, c.places[p].id) < 0 {
			i++
		}
		if i < len(c.heads) && c.heads[i].id == c.places[p].id {
			c.heads[i].seen = &c.places[p].standing
			c.places[p].found = true
		}
	}
}

// readChunk reads the entries that the run asks for.
func (r *run) readChunk(ctx context.Context, c *chunk, w *walk) error {
	if r.contiguous() {
		w.orphan = func(id uuid.UUID) {
			if len(c.orphans) < maxOrphans {
				c.orphans[id] = true
			}
		}
		err := r.readRun(ctx, w, entryKey{c.part.from, lowest}, entryKey{c.part.to, highest})
		if err != nil {
			return err
		}
	} else {
		if err := r.chooseFirst(ctx, c.heads); err != nil {
			return err
		}
		if err := r.readSpans(ctx, w); err != nil {
			return err
		}
	}
	w.finishAll()
	return nil
}

// contiguous reports whether the entries are read as they lie in the primary
// key, whatever wallets they belong to. That finds entries without a wallet.
func (r *run) contiguous() bool { return r.options.All && r.options.Brand == "" }
