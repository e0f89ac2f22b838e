package chaintest

import (
	"context"
	"encoding/binary"
	"os"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
)

const findTail = `
select hash, real_after
from gaming.entries
where wallet_id = $1 and seq = $2`

const replaceEntry = `
insert into gaming.entries (wallet_id, seq, kind, external_id, real_before, real_after, bonus_before, bonus_after,
  actor, occurred_at, recorded_at, key_id, hash)
values ($1, $2, 'deposit', $3, $4, $5, 0, 0, 'gaming', $6, $6, $7, $8)
on conflict (wallet_id, seq) do update
set external_id = excluded.external_id, real_before = excluded.real_before, real_after = excluded.real_after,
  recorded_at = excluded.recorded_at, occurred_at = excluded.occurred_at, hash = excluded.hash`

const replaceReceipt = `
with gone as (delete from gaming.receipts where wallet_id = $1 and seq = $2)
insert into gaming.receipts (kind, external_id, wallet_id, seq) values ('deposit', $3, $1, $2)`

// Rewrite replaces, or adds, the entries of a wallet from a seq to another by
// new ones of one unit each, with valid hashes, as somebody could who has both
// the database and the key.
func Rewrite(t testing.TB, ownerURL string, keys *walletcore.Keyring, key walletcore.WalletKey, from, to int64) {
	t.Helper()
	ctx := context.Background()
	hasher := keys.Hasher()
	WithoutTriggers(t, ownerURL, func(tx pgx.Tx) {
		var prev []byte
		var real walletcore.Money
		require.NoError(t, tx.QueryRow(ctx, findTail, key.ID(), from-1).Scan(&prev, &real))
		e := walletcore.Entry{RealAfter: real, Hash: [walletcore.HashSize]byte(prev)}
		for seq := from; seq <= to; seq++ {
			e = next(t, hasher, keys.Active(), key, e, seq)
			_, err := tx.Exec(ctx, replaceEntry, e.WalletID, e.Seq, e.ExternalID, e.RealBefore.String(), e.RealAfter.String(),
				e.RecordedAt, e.KeyID, e.Hash[:])
			require.NoError(t, err)
			_, err = tx.Exec(ctx, replaceReceipt, e.WalletID, e.Seq, e.ExternalID)
			require.NoError(t, err)
		}
		_, err := tx.Exec(ctx, `update gaming.wallets set seq = $2, real = $3, head = $4 where id = $1`,
			e.WalletID, e.Seq, e.RealAfter.String(), e.Hash[:])
		require.NoError(t, err)
	})
}

func next(t testing.TB, hasher *walletcore.Hasher, keyID int16, key walletcore.WalletKey, prev walletcore.Entry, seq int64) walletcore.Entry {
	at := now()
	e := walletcore.Entry{
		WalletID: key.ID(), Seq: seq, Kind: walletcore.KindDeposit, ExternalID: newID(),
		RealBefore: prev.RealAfter, RealAfter: prev.RealAfter.Add(walletcore.MustParseMoney("1")),
		Actor: "gaming", OccurredAt: at, RecordedAt: at, KeyID: keyID,
	}
	var err error
	e.Hash, err = hasher.Sum(prev.Hash, &e)
	require.NoError(t, err)
	return e
}

// MoveCheckpoint changes the replay position in a checkpoint file and signs it
// again.
func MoveCheckpoint(t testing.TB, path string, keys *walletcore.Keyring, position uint64) {
	t.Helper()
	const positionAt, signed = 18, 66
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	binary.BigEndian.PutUint64(data[positionAt:], position)
	signature, err := keys.SignFile(keys.Active(), "chain checkpoint", data[:signed])
	require.NoError(t, err)
	copy(data[signed:], signature)
	require.NoError(t, os.WriteFile(path, data, 0o600))
}
