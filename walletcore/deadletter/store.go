package deadletter

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/walletctl/walletctl/walletcore/pgtx"
)

// Store keeps the letters of one service.
type Store struct {
	Pool   *pgxpool.Pool // connected as the service's role
	Schema string        // casino or gaming
}

const insertLetter = `
insert into %s.dead_letters (digest, queue, exchange, routing_key, message_id, type, correlation_id, user_id, content_type,
  sent_at, reason, deaths, first_death_at, last_death_at, headers, body, body_size, cut)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15::text::jsonb, $16, $17, $18)
on conflict (digest) do nothing`

// Keep writes a letter down. It reports false where it stands there already:
// the same letter was delivered again.
func (s *Store) Keep(ctx context.Context, l Letter) (bool, error) {
	digest, size := l.digest(), len(l.Body)
	l.fit()
	if l.Body == nil {
		l.Body = []byte{}
	}
	tag, err := s.Pool.Exec(ctx, fmt.Sprintf(insertLetter, s.Schema), digest[:], l.Queue, l.Exchange, l.Key, l.MessageID,
		l.Type, l.CorrelationID, l.UserID, l.ContentType, pgtx.OrNull(l.SentAt), l.Reason, l.Deaths, l.FirstDeathAt,
		l.LastDeathAt, string(l.Headers), l.Body, size, l.Cut)
	if err != nil {
		return false, fmt.Errorf("keep dead letter: %w", err)
	}
	return tag.RowsAffected() == 1, nil
}
