package wallettest

import (
	"bytes"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
)

// Keys returns a keyring that is the same in every test.
func Keys(t testing.TB) *walletcore.Keyring {
	t.Helper()
	keys, err := walletcore.NewKeyring(1, map[int16][]byte{1: bytes.Repeat([]byte("k"), 32)})
	require.NoError(t, err)
	return keys
}

// RequireClosed asserts what must hold at the end of every test that moves
// money: each chain is whole from its opening, in arithmetic and in hashes,
// each wallet stands where its last entry says, and each global key has one
// entry and one receipt. It is written apart from the programs, so that it
// does not share their mistakes.
func RequireClosed(t testing.TB, pool *pgxpool.Pool, keys *walletcore.Keyring) {
	t.Helper()
	requireNone(t, pool, "a chain has a hole or does not add up", `
select count(*)
from (
  select seq, kind, real_before, bonus_before,
    lag(seq) over w as last_seq, lag(real_after) over w as last_real, lag(bonus_after) over w as last_bonus
  from gaming.entries
  window w as (partition by wallet_id order by seq)) e
where case when last_seq is null then seq > 0 or (kind = 'opening' and (real_before <> 0 or bonus_before <> 0))
  else seq <> last_seq + 1 or real_before <> last_real or bonus_before <> last_bonus end`)
	requireNone(t, pool, "a wallet does not stand where its last entry says", `
select count(*)
from gaming.wallets w
left join lateral (
  select * from gaming.entries where wallet_id = w.id order by seq desc limit 1) e on true
where e.seq is distinct from w.seq or e.real_after is distinct from w.real
  or e.bonus_after is distinct from w.bonus or e.hash is distinct from w.head`)
	requireNone(t, pool, "a payment moved money twice, or lacks its receipt", `
select count(*)
from (
  select kind, external_id, count(*) as entries,
    (select count(*) from gaming.receipts r where r.kind = e.kind and r.external_id = e.external_id) as receipts
  from gaming.entries e
  where kind in ('deposit', 'withdrawal', 'withdrawal_reversal')
  group by kind, external_id) d
where entries <> 1 or receipts <> 1`)
	requireNone(t, pool, "history is there that no part tells of, or no seal", `
select count(*)
from gaming.entries e
where e.seq < 0 and not exists (
  select
  from gaming.history_parts h
  join gaming.entries s on s.wallet_id = h.wallet_id and s.kind = 'history_seal' and s.external_id = h.external_id
  where h.wallet_id = e.wallet_id and e.seq between h.first_seq and h.last_seq)`)
	requireHashes(t, pool, keys)
}

func requireNone(t testing.TB, pool *pgxpool.Pool, message, query string) {
	t.Helper()
	var n int
	require.NoError(t, pool.QueryRow(t.Context(), query).Scan(&n))
	require.Zero(t, n, message)
}

func requireHashes(t testing.TB, pool *pgxpool.Pool, keys *walletcore.Keyring) {
	t.Helper()
	rows, err := pool.Query(t.Context(), `
select wallet_id, seq, kind::text, external_id, coalesce(mark::text, ''), real_before, real_after, bonus_before, bonus_after,
  coalesce(reference, ''), coalesce(round_id, ''), actor, coalesce(details::text, ''),
  occurred_at, recorded_at, hash, key_id,
  seq = 0 or exists (select from gaming.history_parts h where h.wallet_id = e.wallet_id and h.first_seq = e.seq)
from gaming.entries e
order by wallet_id, seq`)
	require.NoError(t, err)
	defer rows.Close()
	hasher := keys.Hasher()
	var wallet uuid.UUID
	var prev [walletcore.HashSize]byte
	for rows.Next() {
		var e walletcore.Entry
		var hash []byte
		var details string
		var begins bool
		require.NoError(t, rows.Scan(&e.WalletID, &e.Seq, &e.Kind, &e.ExternalID, &e.Mark,
			&e.RealBefore, &e.RealAfter, &e.BonusBefore, &e.BonusAfter,
			&e.Reference, &e.RoundID, &e.Actor, &details, &e.OccurredAt, &e.RecordedAt, &hash, &e.KeyID, &begins))
		e.Details = []byte(details)
		if e.WalletID != wallet || begins {
			wallet, prev = e.WalletID, [walletcore.HashSize]byte{}
		}
		sum, err := hasher.Sum(prev, &e)
		require.NoError(t, err)
		require.Equal(t, sum[:], hash, "hash of entry %d of wallet %s", e.Seq, e.WalletID)
		prev = sum
	}
	require.NoError(t, rows.Err())
}
