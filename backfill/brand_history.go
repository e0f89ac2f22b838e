package backfill

import (
	"context"
)

// A wallet's history is in from the horizon on where its parts, which follow
// each other without a hole, reach back to it or to the wallet's beginning; or
// where an import that asked for everything from the horizon on ended, and did
// not refuse the wallet: then it had no movement since.
const countWithoutHistory = `
select count(*)
from gaming.wallets w
where w.brand_id = $1
  and not exists (
    select
    from gaming.history_parts h
    where h.wallet_id = w.id and (h.whole or h.since <= now() - $2::interval))
  and not exists (
    select
    from gaming.history_imports i
    join gaming.history_ends f on f.import_id = i.id
    where i.brand_id = w.brand_id and i.until is null and coalesce(i.since <= now() - $2::interval, true)
      and not exists (
        select
        from gaming.history_refusals r
        where r.import_id = i.id and r.wallet_id = w.id
          and not exists (
            select
            from gaming.history_parts h
            where h.import_id = r.import_id and h.wallet_id = r.wallet_id)))`

// checkHistory refuses to go live while a provider could send something again
// that the ledger does not know. The error is a *HistoryError.
func checkHistory(ctx context.Context, db querier, brand string, live *LiveOptions) error {
	if live.WithoutHistory != "" {
		return nil
	}
	var lacking int64
	if err := db.QueryRow(ctx, countWithoutHistory, brand, live.Horizon).Scan(&lacking); err != nil {
		return err
	}
	if lacking > 0 {
		return &HistoryError{Wallets: lacking}
	}
	return nil
}
