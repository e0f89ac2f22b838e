package history

import (
	"context"

	"github.com/google/uuid"

	"github.com/walletctl/walletctl/walletcore/record"
)

// memoryLimit is how much of one wallet's rows, or of one batch, is kept in
// memory.
const memoryLimit = 8 << 20

// batch is some wallets with their whole histories.
type batch struct {
	groups []*group
	rows   int64
}

func (b *batch) wallets() []uuid.UUID {
	ids := make([]uuid.UUID, len(b.groups))
	for i, g := range b.groups {
		ids[i] = g.wallet
	}
	return ids
}

func (b *batch) close() {
	for _, g := range b.groups {
		_ = g.spool.close()
	}
}

// batcher makes batches of sorted rows.
type batcher struct {
	dir        string
	size       func() int // rows a batch, as of now
	duplicates record.Duplicates
	decoder    decoder
	emit       func(*batch) error // takes the batch over
	current    *batch
	group      *group
}

func (b *batcher) take(encoded []byte) error {
	var r row
	b.decoder.decode(encoded, &r)
	if b.group == nil || b.group.wallet != r.wallet {
		if err := b.next(); err != nil {
			return err
		}
		b.group = &group{wallet: r.wallet, spool: spool{dir: b.dir, limit: memoryLimit}}
	}
	return b.group.add(&r, b.duplicates)
}

// next puts the wallet that is complete into its batch.
func (b *batcher) next() error {
	if b.group == nil {
		return nil
	}
	if b.current == nil {
		b.current = &batch{}
	}
	b.group.seen = nil
	b.current.groups = append(b.current.groups, b.group)
	b.current.rows += b.group.rows
	b.group = nil
	if b.current.rows < int64(b.size()) {
		return nil
	}
	return b.flush()
}

func (b *batcher) flush() error {
	full := b.current
	b.current = nil
	return b.emit(full)
}

// end emits what is left.
func (b *batcher) end() error {
	if err := b.next(); err != nil || b.current == nil {
		return err
	}
	return b.flush()
}

// batches sorts what was scanned into batches.
func batches(ctx context.Context, s *sorter, b *batcher) error {
	if err := s.sorted(ctx, b.take); err != nil {
		return err
	}
	return b.end()
}
