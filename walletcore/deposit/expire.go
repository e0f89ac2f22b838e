package deposit

import (
	"context"
	"fmt"
	"time"
)

// One statement: a deposit that a delivery holds is left to it and looked at
// next time; one that a delivery has just moved is not pending any more.
const expirePending = `
with due as (
  select id
  from casino.deposits
  where brand_id = $1 and status = 'pending' and expires_at <= $2
  order by expires_at
  limit $3
  for no key update skip locked
), done as (
  update casino.deposits d
  set status = 'expired'
  from due
  where d.id = due.id and d.status = 'pending'
  returning d.id
)
insert into casino.deposit_events (deposit_id, kind, from_status, to_status)
select id, 'expired', 'pending', 'expired'
from done`

// Expire ends at most limit pending deposits of a brand whose time is up at
// now, and returns how many. A confirmation that comes later still counts.
func (s *Store) Expire(ctx context.Context, brand string, now time.Time, limit int) (int, error) {
	tag, err := s.Pool.Exec(ctx, expirePending, brand, now, limit)
	if err != nil {
		return 0, fmt.Errorf("expire deposits of %s: %w", brand, err)
	}
	return int(tag.RowsAffected()), nil
}
