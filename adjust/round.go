package adjust

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/walletctl/walletctl/walletcore"
)

const (
	// LookedThrough is how many of a wallet's last movements are looked through
	// for open rounds.
	LookedThrough = 5000
	// ShownRounds is the most rounds that are told one by one.
	ShownRounds = 20
)

// OpenRounds are the rounds of a wallet that have a bet and no result yet: more
// money may come of them, or be given back. A bet whose provider names no round
// cannot be told from a settled one, and does not count.
type OpenRounds struct {
	Count  int
	Stakes walletcore.Money // real and bonus, of all of them
	Newest []Round          // the newest first, at most ShownRounds
}

// Round is one of them.
type Round struct {
	ID     string           `json:"id"`
	Bets   int              `json:"bets"`
	Stakes walletcore.Money `json:"stakes"` // real and bonus
	LastAt time.Time        `json:"last_at"`
}

// Each look-up is by the whole idempotency key, or by the index of rounds.
const selectOpenRounds = `
with recent as materialized (
  select kind, mark, external_id, round_id, recorded_at,
    real_before - real_after + bonus_before - bonus_after as stake
  from gaming.entries
  where wallet_id = $1
  order by seq desc
  limit $2)
select round_id, count(*), sum(stake), max(recorded_at), count(*) over (), sum(sum(stake)) over ()
from recent b
where b.kind = 'bet' and b.mark is null and b.round_id is not null
  and not exists (
    select from gaming.entries r
    where r.wallet_id = $1 and r.kind = 'refund' and r.external_id = b.external_id)
  and not exists (
    select from gaming.entries w
    where w.wallet_id = $1 and w.round_id = b.round_id and w.kind = 'win' and w.mark is null and not exists (
      select from gaming.entries v
      where v.wallet_id = $1 and v.kind = 'win_reversal' and v.external_id = w.external_id))
group by round_id
order by max(recorded_at) desc, round_id
limit $3`

func (d *Desk) openRounds(ctx context.Context, wallet uuid.UUID) (OpenRounds, error) {
	var open OpenRounds
	rows, err := d.Pool.Query(ctx, selectOpenRounds, wallet, LookedThrough, ShownRounds)
	if err != nil {
		return open, fmt.Errorf("read open rounds: %w", err)
	}
	open.Newest, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (Round, error) {
		var r Round
		err := row.Scan(&r.ID, &r.Bets, &r.Stakes, &r.LastAt, &open.Count, &open.Stakes)
		r.LastAt = r.LastAt.UTC()
		return r, err
	})
	if err != nil {
		return open, fmt.Errorf("read open rounds: %w", err)
	}
	return open, nil
}
