package chaincheck

import "context"

const maxSpans = 2_000

// readRun reads the entries between two keys in batches, each repeated from
// where it stopped.
func (r *run) readRun(ctx context.Context, w *walk, behind, to entryKey) error {
	limit := r.options.BatchSize
	for {
		rows := 0
		err := r.reader.retry(ctx, func() (bool, error) {
			w.moved, w.rows = false, 0
			err := r.reader.copyOut(ctx, runQuery(behind, to, limit-rows), w.take)
			rows += w.rows
			if w.moved {
				behind = w.at
			}
			return w.moved, err
		})
		if err != nil {
			return err
		}
		r.tally.collect(w.verifier, 0)
		if rows < limit {
			return nil
		}
	}
}

// readSpans reads what is to be read of each head: many short chains in one
// statement, a long one in several.
func (r *run) readSpans(ctx context.Context, w *walk) error {
	var spans []span
	var rows int64
	size := int64(r.options.BatchSize)
	for i := range w.heads {
		h := &w.heads[i]
		left := h.left()
		if left <= 0 {
			continue
		}
		if len(spans) == maxSpans || rows+left > size {
			if err := r.readBatch(ctx, w, spans); err != nil {
				return err
			}
			spans, rows = spans[:0], 0
		}
		if left > size {
			if err := r.readRun(ctx, w, entryKey{h.id, h.from - 1}, entryKey{h.id, h.last.seq}); err != nil {
				return err
			}
			continue
		}
		spans = append(spans, span{h.id, h.from, h.last.seq})
		rows += left
	}
	return r.readBatch(ctx, w, spans)
}

func (r *run) readBatch(ctx context.Context, w *walk, spans []span) error {
	if len(spans) == 0 {
		return nil
	}
	err := r.reader.retry(ctx, func() (bool, error) {
		w.moved = false
		err := r.reader.copyOut(ctx, spansQuery(spans), w.take)
		if err != nil && w.moved {
			spans = spansAfter(spans, w.at)
		}
		return w.moved, err
	})
	r.tally.collect(w.verifier, 0)
	return err
}

// spansAfter returns what is left of the spans behind an entry.
func spansAfter(spans []span, at entryKey) []span {
	for i := range spans {
		switch order := compareIDs(spans[i].wallet, at.wallet); {
		case order < 0:
		case order == 0 && at.seq < spans[i].to:
			spans[i].from = at.seq + 1
			return spans[i:]
		case order > 0:
			return spans[i:]
		}
	}
	return nil
}
