package chaincheck

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"github.com/walletctl/walletctl/walletcore"
)

const (
	// tablePages is how many pages of entries one statement reads, some 100,000
	// entries.
	tablePages = 2_048
	// tableWallets is how many chains one worker follows at once; each costs some
	// 500 bytes.
	tableWallets = 50_000
	// maxWaiting is how many entries of a wallet may come before their
	// predecessor. Concurrent writers fill a few pages at a time, so their
	// order is disturbed by a few.
	maxWaiting = 256
)

// tableQuery reads the entries on some pages, as they lie there.
func tableQuery(part idRange, page, to int64) string {
	return fmt.Sprintf(`set local jit = off; set local max_parallel_workers_per_gather = 0; copy (
select `+entryColumns+`
from gaming.entries e
where e.ctid >= '(%d,0)' and e.ctid < '(%d,0)' and e.wallet_id >= '%s' and e.wallet_id <= '%s') to stdout (format binary)`,
		page, to, part.from, part.to)
}

// tableScan follows the chains of many wallets at once, through entries in the
// order of the table. A table that is only added to has the entries of a wallet
// in the order of seq, but for what concurrent writers did at the same moment.
// Reading it page by page is what a server does best; following the primary key
// instead visits a page for each entry.
type tableScan struct {
	chunk    *chunk
	verifier *verifier
	decoder  entryDecoder
	entry    walletcore.Entry
	index    map[uuid.UUID]int32
	waiting  map[uuid.UUID]map[int64]waitingEntry
}

type waitingEntry struct {
	entry walletcore.Entry
	bad   error
}

func newTableScan(c *chunk, v *verifier) *tableScan {
	s := &tableScan{
		chunk: c, verifier: v, index: make(map[uuid.UUID]int32, len(c.heads)),
		waiting: map[uuid.UUID]map[int64]waitingEntry{},
	}
	for i := range c.heads {
		s.index[c.heads[i].id] = int32(i)
		v.begin(&c.heads[i])
	}
	return s
}

// take is given each entry, some of them again where a statement was repeated.
func (s *tableScan) take(fields [][]byte) error {
	err := s.decoder.decode(fields, &s.entry)
	if !isAmount(err) {
		return err
	}
	i, there := s.index[s.entry.WalletID]
	if !there {
		s.chunk.addOrphan(s.entry.WalletID)
		return nil
	}
	h := &s.chunk.heads[i]
	switch next := h.prev.seq + 1; {
	case h.suspect:
	case s.entry.Seq < next: // taken before, or older history
	case s.entry.Seq == next:
		s.follow(h, &s.entry, err)
		s.wake(h)
	default:
		s.wait(h, err)
	}
	return nil
}

func (s *tableScan) follow(h *head, e *walletcore.Entry, bad error) {
	s.verifier.turnTo(h)
	s.verifier.entry(e, bad)
	if len(s.verifier.findings) > 0 {
		s.chunk.suspectWallet(h, s.verifier.findings, s.verifier.extra)
		delete(s.waiting, h.id)
	}
}

// wait keeps an entry until its predecessor comes. Where too many wait, or it
// never comes, the wallet is read again by its key.
func (s *tableScan) wait(h *head, bad error) {
	if s.entry.Seq > h.last.seq {
		return
	}
	queue := s.waiting[h.id]
	if queue == nil {
		queue = map[int64]waitingEntry{}
		s.waiting[h.id] = queue
	}
	if len(queue) == maxWaiting {
		s.giveUp(h)
		return
	}
	kept := s.entry
	kept.Details = append([]byte(nil), s.entry.Details...)
	queue[kept.Seq] = waitingEntry{kept, bad}
}

// wake follows what waited for the entry just taken.
func (s *tableScan) wake(h *head) {
	for len(s.waiting) > 0 {
		queue := s.waiting[h.id]
		next, there := queue[h.prev.seq+1]
		if !there || h.suspect {
			return
		}
		if delete(queue, next.entry.Seq); len(queue) == 0 {
			delete(s.waiting, h.id)
		}
		s.follow(h, &next.entry, next.bad)
	}
}

// giveUp leaves a wallet to the second reading.
func (s *tableScan) giveUp(h *head) {
	s.verifier.turnTo(h)
	findings, extra := s.verifier.end()
	s.suspectUnsure(h, findings, extra)
}

func (s *tableScan) suspectUnsure(h *head, findings []Finding, extra int64) {
	s.chunk.suspectWallet(h, findings, extra)
	s.chunk.first[h.id] = suspicion{findings: findings, extra: extra, unsure: true}
	delete(s.waiting, h.id)
}

// finishAll ends every chain that is still followed.
func (s *tableScan) finishAll() {
	for i := range s.chunk.heads {
		h := &s.chunk.heads[i]
		if h.suspect {
			h.done = true
			continue
		}
		s.verifier.turnTo(h)
		if findings, extra := s.verifier.end(); len(findings) > 0 {
			s.suspectUnsure(h, findings, extra)
		}
	}
}

// readTable reads every page that was there when the heads had been read: what
// they stand on is on those. Each time that recovery cancels a statement, it
// takes half as many pages.
func (r *run) readTable(ctx context.Context, s *tableScan) error {
	pages, err := r.countPages(ctx)
	if err != nil {
		return err
	}
	step := int64(tablePages)
	for page := int64(0); page < pages; step = min(step*2, tablePages) {
		err := r.reader.retry(ctx, func() (bool, error) {
			to := min(page+step, pages)
			err := r.reader.copyOut(ctx, tableQuery(s.chunk.part, page, to), s.take)
			if err == nil {
				page = to
			}
			step = max(step/2, 1)
			return false, err
		})
		if err != nil {
			return err
		}
		r.tally.collect(s.verifier, 0)
	}
	s.finishAll()
	return nil
}

func (r *run) countPages(ctx context.Context) (pages int64, err error) {
	err = r.reader.retry(ctx, func() (bool, error) {
		row := r.deps.Pool.QueryRow(ctx, `select pg_relation_size('gaming.entries') / current_setting('block_size')::bigint`)
		return false, row.Scan(&pages)
	})
	return pages, err
}
