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

// readBatch reads the spans in one statement. Each time that recovery cancels
// it before its first row, it takes half as many.
func (r *run) readBatch(ctx context.Context, w *walk, spans []span) error {
	for count := len(spans); len(spans) > 0; {
		err := r.reader.retry(ctx, func() (bool, error) {
			count = min(count, len(spans))
			w.moved = false
			err := r.reader.copyOut(ctx, spansQuery(spans[:count]), w.take)
			switch {
			case err == nil:
				spans = spans[count:]
			case w.moved:
				spans = spansAfter(spans, w.at)
			default:
				count = max(count/2, 1)
			}
			return w.moved, err
		})
		if err != nil {
			return err
		}
	}
	r.tally.collect(w.verifier, 0)
	return nil
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
