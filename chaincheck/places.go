package chaincheck

import (
	"bufio"
	"os"

	"github.com/google/uuid"
)

// partFile holds the places of one range, in order, until all ranges are there.
// After a failure it takes nothing more: the range is then copied from the old
// checkpoint. A nil *partFile is that of a run that leaves the checkpoint as it
// is.
type partFile struct {
	file *os.File
	out  *bufio.Writer
	buf  []byte
	err  error
}

func createPart(path string) *partFile {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	return &partFile{file: file, out: bufio.NewWriterSize(file, 64<<10), err: err}
}

func (p *partFile) put(id uuid.UUID, s *standing) {
	if p == nil || p.err != nil {
		return
	}
	p.buf = appendPlaced(p.buf[:0], id, s)
	_, p.err = p.out.Write(p.buf)
}

// keep copies what the cursor still has, up to an id.
func (p *partFile) keep(old *cursor, to uuid.UUID) {
	list, err := old.upTo(to)
	for i := range list {
		p.put(list[i].id, &list[i].standing)
	}
	p.fail(err)
}

func (p *partFile) fail(err error) {
	if p != nil && p.err == nil {
		p.err = err
	}
}

// close returns the first error there was.
func (p *partFile) close() error {
	if p.err == nil {
		p.err = p.out.Flush()
	}
	if p.file != nil {
		p.fail(p.file.Close())
	}
	return p.err
}

// writePlaces writes where the wallets of a chunk stand now; where they did
// before for those that are broken, unread or gone.
func (c *chunk) writePlaces(out *partFile) {
	i := 0
	for p := range c.places {
		old := &c.places[p]
		for i < len(c.heads) && compareIDs(c.heads[i].id, old.id) < 0 {
			c.heads[i].writePlace(out)
			i++
		}
		if i == len(c.heads) || c.heads[i].id != old.id {
			out.put(old.id, &old.standing)
		}
	}
	for ; i < len(c.heads); i++ {
		c.heads[i].writePlace(out)
	}
}

func (h *head) writePlace(out *partFile) {
	switch {
	case h.done && !h.old && !h.empty:
		out.put(h.id, &h.last)
	case h.seen != nil:
		out.put(h.id, h.seen)
	}
}
