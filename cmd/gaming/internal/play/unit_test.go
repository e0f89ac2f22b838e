package play_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/provider"
)

// The same bet is the same money in every dialect: the unit is the profile's,
// by currency, and never guessed from the look of the number.
func TestBet_IsTheSameMoneyInEveryDialect(t *testing.T) {
	t.Parallel()
	eachDialect(t, "", func(t *testing.T, name string) {
		b := newBench(t)
		for currency, c := range map[string]struct{ win, bet, left string }{
			"EUR":  {"100", "12.34", "87.66"},
			"JPY":  {"5000", "1000", "4000"},
			"KWD":  {"10", "1.234", "8.766"},
			"USDT": {"1", "0.00000001", "0.99999999"},
		} {
			b.mustSay(name, saying{kind: provider.Win, id: `"w` + currency + `"`, amount: c.win, currency: currency})
			b.mustSay(name, saying{kind: provider.Bet, id: `"b` + currency + `"`, amount: c.bet, currency: currency})
			wallet := walletcore.WalletKey{Brand: player.Brand, User: player.User, Currency: currency}.ID()
			require.Equal(t, 1, b.count(`select count(*) from gaming.wallets where id = $1 and real = $2::text::numeric`, wallet, c.left), currency)
			require.Equal(t, 1, b.count(`select count(*) from gaming.entries
				where wallet_id = $1 and kind = 'bet' and real_before - real_after = $2::text::numeric`, wallet, c.bet), currency)
		}
	})
}

func TestBet_OfAUnitOfItsOwn(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(o *provider.ProfileOptions) {
		if o.Dialect == "process" || o.Dialect == "subunits" {
			o.Units = map[string]int{"EUR": 3}
		}
	})
	b.fund("100")
	b.ok("process", "process", process(act("bet", "b1", 12340)))
	b.requireBalance("87.66")
	got := b.ok("subunits", "bet", subunits(`"transaction_id":"b2","amount":1`))
	require.Contains(t, got.text, `"balance":87659`)
	b.requireBalance("87.659")
}

// Parts of a bet add up to it exactly, in the answer, the wallet and the entry.
func TestBet_PartsAddUpToTheWhole(t *testing.T) {
	t.Parallel()
	for policy, part := range map[walletcore.SplitPolicy]string{
		walletcore.RealFirst:    "33.33333332",
		walletcore.BonusFirst:   "33.33333333",
		walletcore.Proportional: "33.33333333",
	} {
		b := newSplitBench(t, policy)
		b.post(walletcore.KindBonusGrant, "g1", "99.99999999")
		b.ok("standard", "win", standard(`"transaction_id":"w0","amount":"0.00000001"`))
		got := b.ok("softswiss", "betwin", softswiss(`{"id_provider":"b1","type":"bet","amount":"33.33333333"}`))
		bonus := got.body["transactions"].([]any)[0].(map[string]any)["bonus_amount"]
		require.Equal(t, part, bonus, policy)
		require.Equal(t, "66.66666667", got.body["balance"], policy)
		require.Equal(t, 1, b.count(`
select count(*)
from gaming.entries e
join gaming.wallets w on w.id = e.wallet_id and w.seq = e.seq
where e.kind = 'bet' and e.bonus_before - e.bonus_after = $1::text::numeric
  and (e.real_before - e.real_after) + (e.bonus_before - e.bonus_after) = 33.33333333
  and (w.real, w.bonus) = (e.real_after, e.bonus_after)`, bonus), policy)
		b.mustSay("softswiss", saying{kind: provider.Refund, id: `"b1"`, own: `"r1"`})
		b.requireBalance("0.00000001")
	}
}
