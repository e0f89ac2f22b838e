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
	unsure   bool // of whether anything is wrong: it is read again in any case
}

// checkRange checks the wallets of a range, chunk by chunk, and writes their
// new places in the checkpoint. A part that cannot be read is noted in the
// tally, and keeps its old places.
func (r *run) checkRange(ctx context.Context, part idRange, out *partFile) {
	v := newVerifier(r.deps.Keys)
	old := r.checkpoint.compared(part)
	for {
		c, last, err := r.nextChunk(ctx, part, r.walletsAtOnce())
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

// nextChunk reads the heads of a range, until it has enough of them or there
// are no more, and reports whether there are.
func (r *run) nextChunk(ctx context.Context, part idRange, enough int) (*chunk, bool, error) {
	c := &chunk{part: part, first: map[uuid.UUID]suspicion{}, orphans: map[uuid.UUID]bool{}}
	for rest := part; ; rest.from = after(c.heads[len(c.heads)-1].id) {
		last, err := r.readHeads(ctx, c, rest)
		if err != nil {
			return nil, false, err
		}
		if last {
			return c, true, nil
		}
		if len(c.heads) >= enough {
			c.part.to = c.heads[len(c.heads)-1].id
			return c, false, nil
		}
	}
}

// readHeads adds the next heads of a range in one statement, and reports
// whether they were the last. Each time that recovery cancels it, it asks for
// half as many.
func (r *run) readHeads(ctx context.Context, c *chunk, part idRange) (last bool, err error) {
	before, limit := len(c.heads), walletsPerChunk*2
	err = r.reader.retry(ctx, func() (bool, error) {
		c.heads, limit = c.heads[:before], max(limit/2, 1)
		return false, r.reader.copyOut(ctx, headsQuery(part, r.options.Brand, limit), func(fields [][]byte) error {
			c.heads = append(c.heads, head{})
			return decodeHead(fields, &c.heads[len(c.heads)-1])
		})
	})
	return len(c.heads)-before < limit, err
}

func (r *run) checkChunk(ctx context.Context, c *chunk, v *verifier) {
	c.attachPlaces()
	done, err := r.readChunk(ctx, c, v)
	if err != nil {
		first := c.part.from
		if done < len(c.heads) {
			first = c.heads[done].id
		}
		r.tally.addUnread(first, c.part.to, "entries", err)
		c.unread = err
	}
	r.confirm(ctx, c)
	r.tally.collect(v, done)
}

func (c *chunk) suspectWallet(h *head, findings []Finding, extra int64) {
	h.suspect = true
	c.suspects = append(c.suspects, h)
	c.first[h.id] = suspicion{findings: findings, extra: extra}
}

func (c *chunk) addOrphan(id uuid.UUID) {
	if len(c.orphans) < maxOrphans {
		c.orphans[id] = true
	}
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

// readChunk reads the entries that the run asks for, and returns how many
// wallets were read to their end.
func (r *run) readChunk(ctx context.Context, c *chunk, v *verifier) (done int, err error) {
	if r.byTable {
		if err := r.readTable(ctx, newTableScan(c, v)); err != nil {
			return 0, err
		}
		return len(c.heads), nil
	}
	w := &walk{heads: c.heads, verifier: v, broken: c.suspectWallet}
	if r.contiguous() {
		w.orphan = c.addOrphan
		err = r.readRun(ctx, w, entryKey{c.part.from, -1}, entryKey{c.part.to, highest})
	} else if err = r.chooseFirst(ctx, c.heads); err == nil {
		err = r.readSpans(ctx, w)
	}
	if err == nil {
		w.finishAll()
	}
	return w.next, err
}

// contiguous reports whether the entries are read as they lie in the primary
// key, whatever wallets they belong to. That finds entries without a wallet.
func (r *run) contiguous() bool { return r.options.All && r.options.Brand == "" }
