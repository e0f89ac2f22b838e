package play_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/provider"
)

// duplicates are the whole answers to a bet, a win and a refund that come
// again, with the balance left open.
var duplicates = map[string][3]string{
	"standard": {
		`{"balance":"%s.00000000","currency":"EUR","transactions":[{"transaction_id":"t1","receipt_id":"§2","status":"applied","replayed":true}]}`,
		`{"balance":"%s.00000000","currency":"EUR","transactions":[{"transaction_id":"t1","receipt_id":"§4","status":"applied","replayed":true}]}`,
		`{"balance":"%s.00000000","currency":"EUR","transactions":[{"transaction_id":"r2","receipt_id":"§5","status":"applied","replayed":true}]}`,
	},
	"process": {
		`{"balance":%s00,"round_id":"1","transactions":[{"action_id":"t1","tx_id":"§2"}]}`,
		`{"balance":%s00,"round_id":"1","transactions":[{"action_id":"t1","tx_id":"§4"}]}`,
		`{"balance":%s00,"round_id":"2","transactions":[{"action_id":"r2","tx_id":"§5"}]}`,
	},
	"softswiss": {
		`{"balance":"%s.00000000","round_id":"1","transactions":[{"id_provider":"t1","id":"§2","bonus_amount":"0.00000000"}]}`,
		`{"balance":"%s.00000000","round_id":"1","transactions":[{"id_provider":"t1","id":"§4","bonus_amount":"0.00000000"}]}`,
		`{"balance":"%s.00000000","round_id":"2","transactions":[{"id_provider":"r2","id":"§5"}]}`,
	},
	"subunits": {
		`{"transaction_id":"§2","balance":%s00,"token":"of last year"}`,
		`{"transaction_id":"§4","balance":%s00,"token":"of last year"}`,
		`{"transaction_id":"§5","balance":%s00,"token":"of last year"}`,
	},
}

// A duplicate has our id of the first time, and the balance that the profile
// asks for: the one after its own movement, or the one of now.
func TestDuplicate_GetsTheAnswerOfItsDialect(t *testing.T) {
	t.Parallel()
	for choice, balances := range map[provider.Choice][3]string{
		provider.First:   {"90", "88", "93"},
		provider.Current: {"92", "92", "92"},
	} {
		eachDialect(t, string(choice), func(t *testing.T, name string) {
			b := newBench(t, func(o *provider.ProfileOptions) { o.Policy.DuplicateBalance = choice })
			b.fund("100")
			said := []saying{
				{kind: provider.Bet, id: `"t1"`, amount: "10"},
				{kind: provider.Win, id: `"t1"`, amount: "3"}, // the bet's own id
				{kind: provider.Refund, id: `"t2"`, own: `"r2"`, round: `"2"`},
			}
			b.mustSay(name, said[0])
			b.mustSay(name, saying{kind: provider.Bet, id: `"t2"`, amount: "5", round: `"2"`})
			b.mustSay(name, said[1])
			b.mustSay(name, said[2])
			b.mustSay(name, saying{kind: provider.Bet, id: `"t3"`, amount: "1", round: `"3"`})
			for range 2 {
				for i, s := range said {
					want := receipts(fmt.Sprintf(duplicates[name][i], balances[i])) + "\n"
					require.Equal(t, want, b.mustSay(name, s).text)
				}
			}
			b.requireBalance("92")
		})
	}
}

// conflicts are the whole answers to an id that comes again with another
// amount.
var conflicts = map[string]string{
	"standard":  `{"error":{"code":"conflict","field":"amount","message":"this id exists with another amount"},"balance":"90.00000000","currency":"EUR"}`,
	"process":   `{"code":400,"message":"this id exists with another amount","balance":9000}`,
	"softswiss": `{"code":"invalid_argument","msg":"this id exists with another amount","meta":{"api_code":"400","api_message":"this id exists with another amount"}}`,
	"subunits":  `{"code":400,"message":"this id exists with another amount"}`,
}

func TestDuplicate_WithAnotherAmountIsAConflictAndMovesNothing(t *testing.T) {
	t.Parallel()
	eachDialect(t, "", func(t *testing.T, name string) {
		b := newBench(t)
		b.fund("100")
		b.mustSay(name, saying{kind: provider.Bet, id: `"t1"`, amount: "10"})
		for _, equal := range []string{"10.0", "10.00000000", "10.00000000000000"} {
			b.mustSay(name, saying{kind: provider.Bet, id: `"t1"`, amount: equal})
		}
		for _, other := range []string{"100", "10.01", "1"} {
			got := b.say(name, saying{kind: provider.Bet, id: `"t1"`, amount: other})
			require.Equal(t, conflicts[name]+"\n", got.text)
			require.GreaterOrEqual(t, got.status, 400)
			require.Less(t, got.status, 500, "sending it again cannot help")
		}
		b.requireBalance("90")
	})
}

func TestDuplicate_OfAnotherPlayerIsAConflictWhereIDsAreGlobal(t *testing.T) {
	t.Parallel()
	eachDialect(t, "", func(t *testing.T, name string) {
		b := newBench(t, func(o *provider.ProfileOptions) { o.Policy.IDs = provider.Global })
		b.fund("100")
		b.mustSay(name, saying{kind: provider.Bet, id: `"t1"`, amount: "10"})
		for _, s := range []saying{
			{kind: provider.Bet, id: `"t1"`, amount: "10", user: "somebody else"},
			{kind: provider.Bet, id: `"t1"`, amount: "10", currency: "USD"},
			{kind: provider.Refund, id: `"t1"`, own: `"r1"`, user: "somebody else"},
		} {
			got := b.say(name, s)
			require.Contains(t, []int{400, 409}, got.status, got.text)
			require.NotContains(t, got.text, player.User)
		}
		b.requireBalance("90")
		require.Zero(t, b.count(`select count(*) from gaming.entries where wallet_id <> $1 and kind <> 'opening'`, player.ID()))
	})
}
