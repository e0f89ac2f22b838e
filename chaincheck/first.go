package chaincheck

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
)

// maxProbes bounds the wallets that one statement looks at.
const maxProbes = 1_000

// chooseFirst decides for each wallet where reading begins: at the opening
// where all is read; else at the place in the checkpoint, or before the first
// entry in the window, whichever is earlier. A wallet that a checkpoint should
// have and has not is read whole: it is new, or was never found closed.
func (r *run) chooseFirst(ctx context.Context, heads []head) error {
	var active []*head
	for i := range heads {
		h := &heads[i]
		if r.options.All || h.empty {
			continue
		}
		switch {
		case h.seen != nil:
			h.from = min(h.seen.seq, h.last.seq)
			if h.seen.seq >= h.last.seq {
				h.from = h.last.seq + 1
			}
		case !r.checkpoint.trusted():
			h.from = h.last.seq + 1
		}
		if h.from > 0 && !h.lastRecorded.Before(r.windowStart) {
			active = append(active, h)
		}
	}
	return r.findFirst(ctx, active)
}

// search is the part of a chain in which the window begins: the entry at low
// was recorded before it (-1: the chain begins in the window), the one at high
// was not.
type search struct {
	head      *head
	low, high int64
}

// near reports whether looking further would cost more than reading what is
// left: at most an eighth more entries than the window holds.
func (s *search) near() bool { return s.high-s.low <= 8+(s.head.last.seq-s.high)/8 }

func (s *search) middle() int64 { return s.low + (s.high-s.low)/2 }

// findFirst looks for the beginning of the window in all chains at once, by
// halving: recorded_at grows with seq, but for clocks that step, which moves
// the beginning by as much.
func (r *run) findFirst(ctx context.Context, heads []*head) error {
	searches := make(map[uuid.UUID]*search, len(heads))
	for _, h := range heads {
		searches[h.id] = &search{head: h, low: -1, high: min(h.from, h.last.seq) + 1}
	}
	for len(searches) > 0 {
		probes := make([]span, 0, len(searches))
		for id, s := range searches {
			if s.near() {
				s.head.from = max(min(s.low, s.head.from), 0)
				delete(searches, id)
				continue
			}
			probes = append(probes, span{wallet: id, from: s.middle()})
		}
		for some := range slices.Chunk(probes, maxProbes) {
			if err := r.probe(ctx, searches, some); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *run) probe(ctx context.Context, searches map[uuid.UUID]*search, probes []span) error {
	recorded := make(map[uuid.UUID]time.Time, len(probes))
	err := r.reader.retry(ctx, func() (bool, error) {
		return false, r.reader.copyOut(ctx, probeQuery(probes), func(fields [][]byte) error {
			recorded[decodeID(fields[0])] = decodeTime(fields[1])
			return nil
		})
	})
	if err != nil {
		return err
	}
	for _, p := range probes {
		s := searches[p.wallet]
		// An entry that is missing is a hole: begin before it.
		if at, there := recorded[p.wallet]; there && at.Before(r.windowStart) {
			s.low = p.from
		} else {
			s.high = p.from
		}
	}
	return nil
}
