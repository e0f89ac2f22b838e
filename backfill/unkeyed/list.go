package unkeyed

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Producer is a game provider at a brand that may send bets and wins without an
// id.
type Producer struct {
	Brand    string
	Provider string
	Until    time.Time // the deadline
	// MessageIDHeader is where the id of a message stands.
	MessageIDHeader string
}

const keepProducer = `
insert into gaming.unkeyed_producers as p (brand_id, provider, until, message_id_header)
values ($1, $2, $3, $4)
on conflict (brand_id, provider) do update
set until = excluded.until, message_id_header = excluded.message_id_header, listed_at = excluded.listed_at`

const dropProducer = `
delete from gaming.unkeyed_producers
where brand_id = $1 and provider = $2`

// List writes down, as gaming, which producers are listed, and takes those off
// that are not any more. Others, of another file, stay as they are.
func List(ctx context.Context, pool *pgxpool.Pool, listed, unlisted []Producer) error {
	batch := &pgx.Batch{} // sent as one transaction
	for _, p := range listed {
		batch.Queue(keepProducer, p.Brand, p.Provider, p.Until, p.MessageIDHeader)
	}
	for _, p := range unlisted {
		batch.Queue(dropProducer, p.Brand, p.Provider)
	}
	if err := pool.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("list who sends movements without an id: %w", err)
	}
	return nil
}
