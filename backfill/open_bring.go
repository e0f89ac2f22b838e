package backfill

import (
	"context"
	"fmt"
	"iter"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/walletctl/walletctl/walletcore"
)

// Brought counts wallets.
type Brought struct {
	In      int64 // came in now
	Present int64 // were in, with the same balance
	Refused int64
}

// bringing is one run over a source.
type bringing struct {
	*Opening
	hasher   *walletcore.Hasher
	conn     *pgxpool.Conn
	done     Brought
	refusals []*WalletError
}

// BringForward brings wallets in, each with its balance, in transactions of a
// batch. A wallet that is in with the same balance is passed over, so that the
// same run may be done again wherever it was ended; one that is in with another
// is refused, and the others go on. The brand is importing before, see
// [Opening.Begin].
//
// The error is nil where every wallet is in, and a *PartialError otherwise; it
// is ErrRunning where another run is at it.
func (o *Opening) BringForward(ctx context.Context, balances iter.Seq2[Balance, error]) (Brought, error) {
	r := &bringing{Opening: o, hasher: o.o.Keys.Hasher()}
	began := false
	err := o.alone(ctx, func(conn *pgxpool.Conn) error {
		r.conn, began = conn, true
		return r.all(ctx, balances)
	})
	if !began || (err == nil && r.done.Refused == 0) {
		return r.done, err
	}
	return r.done, &PartialError{Brought: r.done, Refusals: r.refusals, Err: err}
}

func (r *bringing) all(ctx context.Context, balances iter.Seq2[Balance, error]) error {
	batch := newBatch(r.o.Batch)
	for b, err := range balances {
		if err != nil {
			return err
		}
		if err := r.check(&b); err != nil {
			r.refuse(&b, err)
			continue
		}
		id := r.wallet(&b).ID()
		if earlier := batch.find(id); earlier != nil {
			r.twice(&b, earlier)
			continue
		}
		if batch.add(id, b); batch.full() {
			if err := r.bring(ctx, batch); err != nil {
				return err
			}
			batch.reset()
		}
	}
	return r.bring(ctx, batch)
}

// twice decides on a wallet that stands twice in one batch as if the first had
// been of an earlier one.
func (r *bringing) twice(b, earlier *Balance) {
	if b.parts() != earlier.parts() {
		r.refuse(b, &BalanceError{Inside: earlier.parts(), Given: b.parts()})
		return
	}
	r.done.Present++
}

func (r *bringing) refuse(b *Balance, err error) {
	r.done.Refused++
	if len(r.refusals) < maxRefusals {
		r.refusals = append(r.refusals, &WalletError{Position: b.Position, Wallet: r.wallet(b), Err: err})
	}
}

// bring is one transaction.
func (r *bringing) bring(ctx context.Context, b *batch) error {
	if len(b.balances) == 0 {
		return ctx.Err()
	}
	tx, err := r.conn.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	seen, err := r.look(ctx, tx, b.ids)
	if err != nil {
		return stepError(err)
	}
	if !r.takes(seen.state) {
		return &StateError{Brand: r.o.Brand, State: seen.state, Want: walletcore.BrandImporting}
	}
	var done Brought
	rows := &rows{}
	for i := range b.balances {
		balance := &b.balances[i]
		inside, ok := seen.inside[b.ids[i]]
		switch {
		case !ok:
			if err := rows.add(r, b.ids[i], balance, seen); err != nil {
				return err
			}
			done.In++
		case inside == balance.parts():
			done.Present++
		default:
			r.refuse(balance, &BalanceError{Inside: inside, Given: balance.parts()})
		}
	}
	if r.o.DryRun {
		r.count(done)
		return nil
	}
	if err := r.write(ctx, tx, rows); err != nil {
		return fmt.Errorf("bring %d wallets in: %w", done.In, stepError(err))
	}
	r.count(done)
	return nil
}

func (r *bringing) takes(state walletcore.BrandState) bool {
	return state == walletcore.BrandImporting || (r.o.DryRun && state == walletcore.BrandClosed)
}

func (r *bringing) count(done Brought) {
	r.done.In, r.done.Present = r.done.In+done.In, r.done.Present+done.Present
	r.o.Progress(r.done)
}

// batch is the wallets of one transaction.
type batch struct {
	size     int
	ids      []uuid.UUID
	balances []Balance
	place    map[uuid.UUID]int
}

func newBatch(size int) *batch { return &batch{size: size, place: make(map[uuid.UUID]int, size)} }

func (b *batch) find(id uuid.UUID) *Balance {
	if i, ok := b.place[id]; ok {
		return &b.balances[i]
	}
	return nil
}

func (b *batch) add(id uuid.UUID, balance Balance) {
	b.place[id] = len(b.ids)
	b.ids, b.balances = append(b.ids, id), append(b.balances, balance)
}

func (b *batch) full() bool { return len(b.ids) == b.size }

func (b *batch) reset() {
	b.ids, b.balances = b.ids[:0], b.balances[:0]
	clear(b.place)
}
