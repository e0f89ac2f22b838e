package history

import (
	"context"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/walletctl/walletctl/walletcore/pgtx"
)

// writer writes batches over one connection.
type writer struct {
	*writing
	conn   *pgxpool.Conn
	judge  judge
	stage  stage
	staged bool // the temporary table is there
}

func newWriter(w *writing, conn *pgxpool.Conn) *writer {
	return &writer{
		writing: w, conn: conn,
		judge: judge{hasher: w.keys.Hasher(), keyID: w.keys.Active(), partial: !w.options.Since.IsZero()},
		stage: stage{spool: spool{limit: memoryLimit, dir: w.options.TempDir}},
	}
}

func (w *writer) close() { _ = w.stage.spool.close() }

// outcome is what became of a batch.
type outcome struct {
	written []written
	skipped int64
	refused []Refusal
}

// write writes a batch in one transaction. Where one of its wallets has a key
// that is in the ledger already, each is written alone, and that one refused.
func (w *writer) write(ctx context.Context, b *batch) error {
	out, err := w.attempt(ctx, b)
	if err == nil {
		w.count(out.written, out.skipped, out.refused)
		return nil
	}
	taken := takenKey(err)
	if taken == "" {
		return err
	}
	if len(b.groups) > 1 {
		for _, g := range b.groups {
			if err := w.write(ctx, &batch{groups: []*group{g}, rows: g.rows}); err != nil {
				return err
			}
		}
		return nil
	}
	g := b.groups[0]
	g.refuse(ReasonTaken, &g.newest, "the ledger has it already, below another entry: "+taken)
	return w.write(ctx, b)
}

// attempt repeats what a deadlock, a time-out or a lost connection broke off:
// what was committed after all is found and skipped.
func (w *writer) attempt(ctx context.Context, b *batch) (out outcome, err error) {
	err = pgtx.Retry(ctx, func() error {
		out = outcome{}
		return w.transact(ctx, b, &out)
	})
	return out, err
}

func (w *writer) transact(ctx context.Context, b *batch, out *outcome) error {
	if !w.staged {
		if _, err := w.conn.Exec(ctx, createStage); err != nil {
			return err
		}
		w.staged = true
	}
	return pgx.BeginFunc(ctx, w.conn, func(tx pgx.Tx) error {
		if err := w.decide(ctx, tx, b, out); err != nil {
			return err
		}
		return w.keepRefusals(ctx, tx, out.refused)
	})
}

// decide locks the wallets, judges their histories and writes what fits.
func (w *writer) decide(ctx context.Context, tx pgx.Tx, b *batch, out *outcome) error {
	live, err := lock(ctx, tx, b.wallets())
	if err != nil {
		return err
	}
	lowest, done, err := readAnchors(ctx, tx, b.wallets(), w.run.ID)
	if err != nil {
		return err
	}
	if w.judge.recorded, err = clock(ctx, tx); err != nil {
		return err
	}
	w.stage.reset()
	var s seals
	for _, g := range b.groups {
		if done[g.wallet] {
			out.skipped++
			continue
		}
		if err := w.one(g, lowest[g.wallet], live[g.wallet], &s, out); err != nil {
			return err
		}
	}
	if len(out.written) == 0 {
		return nil
	}
	if err := w.stage.send(ctx, tx); err != nil {
		return err
	}
	return s.send(ctx, tx, &w.judge, w.run)
}

// one puts a wallet's history on the stage, or refuses it.
func (w *writer) one(g *group, a anchor, at standing, s *seals, out *outcome) error {
	size, rows := w.stage.spool.size(), w.stage.rows
	p, ok, err := w.judge.write(g, a, w.stage.put)
	if err != nil {
		return err
	}
	if !ok {
		w.stage.rows = rows
		out.refused = append(out.refused, *g.refused)
		return w.stage.spool.truncate(size)
	}
	done := written{g, p}
	out.written = append(out.written, done)
	return s.add(&done, at, &w.judge, w.run)
}

const insertRefusals = `
insert into gaming.history_refusals (import_id, wallet_id, reason, detail, real, bonus)
values ($1, $2, $3, $4, $5, $6)
on conflict (import_id, wallet_id) do update
set reason = excluded.reason, detail = excluded.detail, real = excluded.real, bonus = excluded.bonus, refused_at = clock_timestamp()`

func (w *writer) keepRefusals(ctx context.Context, tx pgx.Tx, refused []Refusal) error {
	if len(refused) == 0 {
		return nil
	}
	queue := &pgx.Batch{}
	for i := range refused {
		r := &refused[i]
		queue.Queue(insertRefusals, w.run.ID, r.WalletID, string(r.Reason), strings.TrimSpace(r.Position+" "+r.Detail), r.Real, r.Bonus)
	}
	return tx.SendBatch(ctx, queue).Close()
}

// takenKey returns what a unique key says is there already; empty where err is
// something else.
func takenKey(err error) string {
	var refused *pgconn.PgError
	if !errors.As(err, &refused) || refused.Code != "23505" {
		return ""
	}
	if refused.Detail == "" {
		return refused.Message
	}
	return pgtx.Clip(refused.Detail)
}
