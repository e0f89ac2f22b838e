package ledger_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// byHand is a movement written in SQL that keeps balance and entry together, so
// that only the rules of its kind can refuse it.
func byHand(kind, id, real, mark string) string {
	return fmt.Sprintf(`
with moved as (
  update gaming.wallets set real = real + (%[3]s), seq = seq + 1 where user_id = 'u-1' returning *)
, entry as (
  insert into gaming.entries (wallet_id, seq, kind, external_id, real_before, real_after,
    bonus_before, bonus_after, actor, occurred_at, recorded_at, hash, key_id, mark)
  select id, seq, '%[1]s', '%[2]s', real - (%[3]s), real, bonus, bonus, 'me', now(), now(), head, 1, %[4]s
  from moved returning *)
insert into gaming.receipts
select wallet_id, seq, kind, external_id from entry where kind in ('withdrawal', 'withdrawal_reversal')`, kind, id, real, mark)
}

func TestLedger_NobodyCanUndoWhatWasNotDone(t *testing.T) {
	t.Parallel()
	b := funded(t)
	b.must(
		b.play(walletcore.KindBet, "bet", "10"), b.play(walletcore.KindWin, "win", "4"),
		b.play(walletcore.KindWithdrawal, "out", "5"), b.play(walletcore.KindRefund, "early", "0"),
	)
	for name, statement := range map[string]string{
		"a refund of no bet":                     byHand("refund", "none", "10", "null"),
		"a refund of more than the bet":          byHand("refund", "bet", "10.00000001", "null"),
		"a refund of less than the bet":          byHand("refund", "bet", "9", "null"),
		"a tombstone where the bet is":           byHand("refund", "bet", "0", "'tombstone'"),
		"a bet after its tombstone":              byHand("bet", "early", "-10", "null"),
		"a void bet without a tombstone":         byHand("bet", "other", "0", "'void'"),
		"a bet that gives money":                 byHand("bet", "other", "1", "null"),
		"a win that takes money":                 byHand("win", "other", "-1", "null"),
		"a reversal of no win":                   byHand("win_reversal", "none", "-1", "null"),
		"a reversal of more than the win":        byHand("win_reversal", "win", "-5", "null"),
		"a withdrawal given back that never was": byHand("withdrawal_reversal", "none", "5", "null"),
		"more given back than was withdrawn":     byHand("withdrawal_reversal", "out", "6", "null"),
		"a marked movement of money":             byHand("refund", "other", "1", "'tombstone'"),
		"a debt without a movement":              `update gaming.wallets set debt_limit = 100`,
		"a debt beyond the balance": `
update gaming.wallets set debt_limit = 1000, seq = seq + 1`,
	} {
		for _, role := range []wallettest.Role{wallettest.Gaming, wallettest.Owner} {
			requireRefused(t, b.db.Pool(t, role), string(role)+": "+name, statement)
		}
	}
	b.requireBalance("89", "50")
	b.requireClosed()
}

func TestFreeze_IsRecordedAndTheRecordStays(t *testing.T) {
	t.Parallel()
	b := funded(t)
	_, err := b.db.Pool(t, wallettest.Admin).Exec(t.Context(), `select gaming.freeze_brand('acme', true, 'drill')`)
	require.NoError(t, err)
	for name, statement := range map[string]string{
		"changing a freeze": `update gaming.freezes set reason = 'other'`,
		"deleting a freeze": `delete from gaming.freezes`,
	} {
		requireRefused(t, b.owner, name, statement)
	}
	gaming := b.db.Pool(t, wallettest.Gaming)
	requireRefused(t, gaming, "gaming thaws a brand", `update gaming.brands set frozen = false`)
	requireRefused(t, gaming, "gaming calls the function", `select gaming.freeze_brand('acme', false, 'me')`)
	requireRefused(t, b.db.Pool(t, wallettest.Admin), "no reason", `select gaming.freeze_brand('acme', false, ' ')`)
}
