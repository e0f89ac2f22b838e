package deadletter

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/walletctl/walletctl/walletcore/pgtx"
)

// RefusedError says that a letter cannot be sent, however often it is tried. It
// waits for a person again, with the reason.
type RefusedError struct{ Reason string }

func (e *RefusedError) Error() string { return e.Reason }

// The one that was asked for first, and that nobody else is sending.
const selectAsked = `
select id, queue, exchange, routing_key, message_id, type, correlation_id, user_id, content_type, sent_at, reason, deaths,
  first_death_at, last_death_at, headers, body
from %s.dead_letters
where state = 'requeue_asked'
order by kept_at, id
limit 1
for update skip locked`

const endAsked = `
update %s.dead_letters
set state = $2::text::%[1]s.dead_letter_state, error = $3
where id = $1 and state = 'requeue_asked'`

// SendNext hands one letter that a person asked for to send, and writes down
// what came of it: nil, that it was sent; a *[RefusedError], that it cannot be.
// After any other error it is handed out again. It reports whether there was a
// letter. send must come to its end within a few seconds: its row is locked.
func (s *Store) SendNext(ctx context.Context, send func(ctx context.Context, l Letter) error) (found bool, err error) {
	err = pgx.BeginFunc(ctx, s.Pool, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, fmt.Sprintf(selectAsked, s.Schema))
		if err != nil {
			return err
		}
		l, err := pgx.CollectExactlyOneRow(rows, scanLetter)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		found = true
		err = send(ctx, l)
		var refused *RefusedError
		switch {
		case errors.As(err, &refused):
			return s.end(ctx, tx, l.ID, Kept, pgtx.Clip(refused.Reason))
		case err != nil:
			return fmt.Errorf("letter %d: %w", l.ID, err)
		}
		return s.end(ctx, tx, l.ID, Requeued, "")
	})
	if err != nil {
		return found, fmt.Errorf("send dead letters again: %w", err)
	}
	return found, nil
}

func (s *Store) end(ctx context.Context, tx pgx.Tx, id int64, state State, reason string) error {
	return pgtx.ExactlyOne(ctx, tx, fmt.Sprintf(endAsked, s.Schema), id, string(state), pgtx.OrNull(reason))
}

func scanLetter(row pgx.CollectableRow) (Letter, error) {
	var l Letter
	var sentAt *time.Time
	err := row.Scan(&l.ID, &l.Queue, &l.Exchange, &l.Key, &l.MessageID, &l.Type, &l.CorrelationID, &l.UserID, &l.ContentType,
		&sentAt, &l.Reason, &l.Deaths, &l.FirstDeathAt, &l.LastDeathAt, &l.Headers, &l.Body)
	if sentAt != nil {
		l.SentAt = *sentAt
	}
	return l, err
}
