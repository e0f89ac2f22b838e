package ledger_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// deposited is a deposit by hand that keeps balance, entry and receipt
// together, so that only the rules of single values can refuse it.
func deposited(id, actor, hash, key string) string {
	return fmt.Sprintf(`
with moved as (
  update gaming.wallets set real = real + 1, seq = seq + 1, head = %[3]s returning *)
, entry as (
  insert into gaming.entries (wallet_id, seq, kind, external_id, real_before, real_after,
    bonus_before, bonus_after, actor, occurred_at, recorded_at, hash, key_id)
  select id, seq, 'deposit', %[1]s, real - 1, real, bonus, bonus, %[2]s, now(), now(), head, %[4]s
  from moved returning *)
insert into gaming.receipts select wallet_id, seq, kind, external_id from entry`, id, actor, hash, key)
}

func TestLedger_NoEntryHoldsWhatNoneCan(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	_, err := b.credit("d-1", "10.00")
	require.NoError(t, err)
	for name, statement := range map[string]string{
		"an empty id":      deposited(`''`, `'me'`, `head`, `1`),
		"a blank id":       deposited(`' '`, `'me'`, `head`, `1`),
		"an id led in":     deposited(`' x'`, `'me'`, `head`, `1`),
		"an id padded":     deposited(`'x '`, `'me'`, `head`, `1`),
		"a line break":     deposited(`E'x\ny'`, `'me'`, `head`, `1`),
		"a last control":   deposited(`E'x\x7f'`, `'me'`, `head`, `1`),
		"a long id":        deposited(`repeat('x', 321)`, `'me'`, `head`, `1`),
		"many bytes":       deposited(`repeat('ж', 161)`, `'me'`, `head`, `1`),
		"nobody":           deposited(`'x'`, `''`, `head`, `1`),
		"a short hash":     deposited(`'x'`, `'me'`, `'\x00'`, `1`),
		"no key":           deposited(`'x'`, `'me'`, `head`, `0`),
		"a deposit of NaN": movedToNaN,
	} {
		for _, role := range []wallettest.Role{wallettest.Gaming, wallettest.Owner} {
			requireRefused(t, b.db.Pool(t, role), string(role)+": "+name, statement)
		}
	}
	for _, id := range []string{`'x'`, `'x y'`, `'ж'`, `repeat('x', 320)`, `repeat('ж', 160)`} {
		tx, err := b.owner.Begin(t.Context())
		require.NoError(t, err)
		_, err = tx.Exec(t.Context(), deposited(id, `'me'`, `head`, `1`))
		require.NoError(t, err, "what the others differ from goes through: %s", id)
		require.NoError(t, tx.Rollback(t.Context()))
	}
	b.requireClosed()
}

// movedToNaN goes through wherever "greater than before" is all that is asked.
const movedToNaN = `
with moved as (
  update gaming.wallets set real = 'NaN', seq = seq + 1 returning *)
, entry as (
  insert into gaming.entries (wallet_id, seq, kind, external_id, real_before, real_after,
    bonus_before, bonus_after, actor, occurred_at, recorded_at, hash, key_id)
  select id, seq, 'deposit', 'x', 10, real, bonus, bonus, 'me', now(), now(), head, 1
  from moved returning *)
insert into gaming.receipts select wallet_id, seq, kind, external_id from entry`

func TestLedger_NoWalletIsBornWithoutItsNames(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, names := range []string{`'', 'u', 'EUR'`, `'acme', '', 'EUR'`, `'acme', 'u', ''`, `'acme', 'u', 'eur'`, `'acme', 'u', 'E'`} {
		statement := fmt.Sprintf(`
with born as (
  insert into gaming.wallets (id, brand_id, user_id, currency, seq, real, bonus, head)
  values (gen_random_uuid(), %s, 0, 0, 0, sha256('x'))
  returning *)
insert into gaming.entries (wallet_id, seq, kind, external_id, real_before, real_after,
  bonus_before, bonus_after, actor, occurred_at, recorded_at, hash, key_id)
select id, 0, 'opening', 'opening', 0, 0, 0, 0, 'me', now(), now(), head, 1
from born`, names)
		for _, role := range []wallettest.Role{wallettest.Gaming, wallettest.Owner} {
			requireRefused(t, b.db.Pool(t, role), string(role)+": "+names, statement)
		}
	}
	require.Zero(t, b.count(`select count(*) from gaming.wallets`))
}
