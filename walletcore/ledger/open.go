package ledger

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/walletctl/walletctl/walletcore"
)

const openWallet = `
with born as (
  insert into gaming.wallets (id, brand_id, user_id, currency, seq, real, bonus, head)
  values ($1, $2, $3, $4, 0, 0, 0, $5)
  on conflict do nothing
  returning id
)
insert into gaming.entries (
  wallet_id, seq, kind, external_id, real_before, real_after, bonus_before, bonus_after,
  actor, occurred_at, recorded_at, hash, key_id)
select id, 0, 'opening', 'opening', 0, 0, 0, 0, $6, $7, $7, $5, $8
from born`

// open gives birth to the missing wallets, in id order, each in a transaction
// of its own: a wallet has to be there before it can be locked. Whoever comes
// second finds it there.
func (l *Ledger) open(ctx context.Context, b *batch, missing map[[16]byte]bool) error {
	born := make(map[[16]byte]*Movement, len(missing))
	for _, request := range b.requests {
		for i := range request {
			if id := [16]byte(request[i].Wallet.ID()); missing[id] && born[id] == nil {
				born[id] = &request[i]
			}
		}
	}
	ids := slices.SortedFunc(maps.Keys(born), compareIDs)
	for _, id := range ids {
		if err := l.openOne(ctx, id, born[id]); err != nil {
			return err
		}
		l.stats.Opened.Add(1)
	}
	return nil
}

func (l *Ledger) openOne(ctx context.Context, id [16]byte, first *Movement) (err error) {
	conn, err := l.pool.Acquire(ctx)
	if err != nil {
		return &connectionError{err}
	}
	defer conn.Release()
	defer func() {
		if err != nil && conn.Conn().IsClosed() {
			err = &connectionError{err}
		}
	}()
	var now time.Time
	if err := conn.QueryRow(ctx, `select clock_timestamp()`).Scan(&now); err != nil {
		return err
	}
	entry := &walletcore.Entry{
		WalletID: id, Kind: walletcore.KindOpening, ExternalID: "opening", Actor: first.Actor,
		OccurredAt: now.UTC(), RecordedAt: now.UTC(), KeyID: l.options.Keys.Active(),
	}
	hasher := l.hashers.get()
	defer l.hashers.put(hasher)
	hash, err := hasher.Sum([walletcore.HashSize]byte{}, entry)
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, openWallet, id, first.Wallet.Brand, first.Wallet.User, first.Wallet.Currency,
		hash[:], entry.Actor, now, entry.KeyID)
	return err
}
