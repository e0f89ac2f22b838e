package play_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/provider"
)

// lateRefused is what each dialect answers a bet that was rolled back before,
// where its policy refuses.
var lateRefused = map[string]string{
	"standard":  `{"error":{"code":"rolled_back","message":"it was rolled back before"},"balance":"100.00000000","currency":"EUR"}`,
	"process":   `{"code":409,"message":"it was rolled back before","balance":10000}`,
	"softswiss": `{"code":"invalid_argument","msg":"it was rolled back before","meta":{"api_code":"409","api_message":"it was rolled back before"}}`,
	"subunits":  `{"code":408,"message":"it was rolled back before"}`,
}

func lateBet(choice provider.Choice) func(*provider.ProfileOptions) {
	return func(o *provider.ProfileOptions) { o.Policy.LateBet = choice }
}

// What a bet gets that comes again after its refund is what a late one gets: a
// provider that were told of a success would let it play, for free.
func TestBet_ThatComesAgainAfterItsRefundIsRolledBack(t *testing.T) {
	t.Parallel()
	eachDialect(t, "", func(t *testing.T, name string) {
		b := newBench(t, lateBet(provider.Refused))
		b.fund("100")
		bet := saying{kind: provider.Bet, id: `"b1"`, amount: "10"}
		b.mustSay(name, bet)
		b.mustSay(name, saying{kind: provider.Refund, id: `"b1"`, own: `"r1"`})
		for range 2 {
			got := b.say(name, bet)
			require.GreaterOrEqual(t, got.status, 400)
			require.Less(t, got.status, 500)
			require.Equal(t, lateRefused[name]+"\n", got.text)
		}
		require.NotEqual(t, lateRefused[name]+"\n", b.say(name, saying{kind: provider.Bet, id: `"b1"`, amount: "11"}).text,
			"another amount is a conflict first")
		b.requireBalance("100")
	})
}

// Its win does not come in with it either.
func TestBetWin_OfABetThatWasRefundedIsRefusedWhole(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.fund("100")
	b.mustSay("standard", saying{kind: provider.Bet, id: `"t"`, amount: "10"})
	b.mustSay("standard", saying{kind: provider.Refund, id: `"t"`, own: `"r"`})
	betwin := standard(`"round_id":"1","bet":{"transaction_id":"t","amount":"10"},"win":{"transaction_id":"w","amount":"50"}`)
	require.Equal(t, 409, b.call("standard", "betwin", betwin).status)
	b.requireBalance("100")
	require.Zero(t, b.count(`select count(*) from gaming.entries where kind = 'win'`))
}

func TestBet_ThatComesAgainAfterItsRefundMayBeASuccessWithoutEffect(t *testing.T) {
	t.Parallel()
	eachDialect(t, "", func(t *testing.T, name string) {
		b := newBench(t, lateBet(provider.Accepted))
		b.fund("100")
		bet := saying{kind: provider.Bet, id: `"b1"`, amount: "10"}
		b.mustSay(name, bet)
		b.mustSay(name, saying{kind: provider.Refund, id: `"b1"`, own: `"r1"`})
		b.mustSay(name, bet)
		b.requireBalance("100")
	})
}
