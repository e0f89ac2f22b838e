package play_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/provider"
)

// One reversal of a bet, whatever id and amount the refund itself carries.
func TestRefund_GivesBackOnceWhateverItCarries(t *testing.T) {
	t.Parallel()
	eachDialect(t, "", func(t *testing.T, name string) {
		b := newBench(t)
		b.fund("100")
		b.mustSay(name, saying{kind: provider.Bet, id: `"b1"`, amount: "1"})
		b.mustSay(name, saying{kind: provider.Bet, id: `"b2"`, amount: "3"})
		first := b.mustSay(name, saying{kind: provider.Refund, id: `"b1"`, own: `"r1"`, amount: "-1"})
		b.requireBalance("97")
		require.Contains(t, first.text, receipts("§4"))
		for _, again := range []saying{
			{kind: provider.Refund, id: `"b1"`, own: `"r1"`, amount: "-1"},
			{kind: provider.Refund, id: `"b1"`, own: `"r2"`},
			{kind: provider.Refund, id: `"b1"`, own: `"b1"`, amount: "0"},
			{kind: provider.Refund, id: `"b1"`, own: `"r3"`, amount: "-25"},
		} {
			require.Contains(t, b.mustSay(name, again).text, receipts("§4"), "the first receipt")
			b.requireBalance("97")
		}
		// The bet's own id, and no amount.
		b.mustSay(name, saying{kind: provider.Refund, id: `"b2"`, own: `"b2"`})
		b.requireBalance("100")
		require.Equal(t, 2, b.count(`select count(*) from gaming.entries where kind = 'refund'`))
	})
}

// earlyRefunds are the whole answers to a refund of nothing, as each dialect's
// policy has it.
var earlyRefunds = map[string]string{
	"standard":  `{"balance":"100.00000000","currency":"EUR","transactions":[{"transaction_id":"k1","receipt_id":"§2","status":"tombstone","replayed":false}]}`,
	"process":   `{"balance":10000,"round_id":"1","transactions":[{"action_id":"k1","tx_id":"§2"}]}`,
	"softswiss": `{"balance":"100.00000000","round_id":"1","transactions":[{"id_provider":"k1","id":"§2"}]}`,
	"subunits":  `{"code":406,"message":"there is nothing under this id that could be rolled back"}`,
}

// A refund before its bet: neither moves money, whoever comes again.
func TestRefund_BeforeItsBetStopsIt(t *testing.T) {
	t.Parallel()
	eachDialect(t, "", func(t *testing.T, name string) {
		b := newBench(t)
		b.fund("100")
		refund := saying{kind: provider.Refund, id: `"x1"`, own: `"k1"`}
		bet := saying{kind: provider.Bet, id: `"x1"`, amount: "5"}
		early := b.say(name, refund)
		require.Equal(t, receipts(earlyRefunds[name])+"\n", early.text)
		for range 2 {
			late := b.say(name, bet)
			if name == "process" {
				require.Equal(t, 200, late.status)
			} else {
				require.Equal(t, lateRefused[name]+"\n", late.text)
			}
			again := b.say(name, refund)
			require.Equal(t, early.status, again.status)
			if name != "standard" { // which says that it is a replay
				require.Equal(t, early.text, again.text)
			}
			b.requireBalance("100")
		}
	})
}

// A refund of another amount than its bet's is no refund of it.
func TestRefund_OfAnotherAmountIsAConflict(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"standard", "process", "subunits"} { // softswiss reads no amount
		b := newBench(t)
		b.fund("100")
		b.mustSay(name, saying{kind: provider.Bet, id: `"b1"`, amount: "10"})
		got := b.say(name, saying{kind: provider.Refund, id: `"b1"`, own: `"r1"`, amount: "9.99"})
		require.Contains(t, []int{400, 409}, got.status, got.text)
		b.requireBalance("90")
	}
}
