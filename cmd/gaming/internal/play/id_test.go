package play_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/provider"
)

// Ids that a float, a folded case or a trim could not tell apart, and those of
// another provider, are bets of their own; each is the duplicate of itself
// alone.
func TestIDs_StayApartInEveryDialect(t *testing.T) {
	t.Parallel()
	eachDialect(t, "", func(t *testing.T, name string) {
		b := newBench(t)
		b.fund("100")
		ids := []string{
			"7328334202200869666", "7328334202200869667", "9007199254740992", "9007199254740993",
			"-9223372036854774253", `"PFX-9223372036854774253"`, "123456789012345678901234567890",
			`"ABC"`, `"abc"`, `"a b"`, `"a  b"`, `"\u00e9"`, `"e\u0301"`, `"u|1"`, `"` + name + `:1"`,
			`"` + strings.Repeat("x", 100) + `"`, `"` + strings.Repeat("é", 127) + `x"`, `"0"`, "1001",
		}
		for range 2 {
			for _, id := range ids {
				b.mustSay(name, saying{kind: provider.Bet, id: id, amount: "1", round: id})
			}
		}
		b.mustSay(name, saying{kind: provider.Bet, id: `"1001"`, amount: "1", round: "1001"}) // the same digits, quoted
		b.mustSay(name+"2", saying{kind: provider.Bet, id: "1001", amount: "3"})              // another provider's
		require.Equal(t, len(ids)+1, b.count(`select count(*) from gaming.entries where kind = 'bet'`))
		b.requireBalance("78")

		// The answer names the id as it was given.
		if name != "subunits" {
			got := b.mustSay(name, saying{kind: provider.Bet, id: "7328334202200869667", amount: "1", round: "7328334202200869667"})
			require.Contains(t, got.text, `"7328334202200869667"`)
		}
		b.mustSay(name, saying{kind: provider.Refund, id: "7328334202200869667", own: `"r"`})
		require.Equal(t, 1, b.count(`select count(*) from gaming.entries where kind = 'refund' and external_id = $1 and real_after > real_before`,
			name+":7328334202200869667"))
		b.requireBalance("79")
	})
}

// One id for a bet, its win and its refund: the kind is in the key.
func TestIDs_MayBeOneForBetWinAndRefund(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"standard", "subunits"} { // whose refunds name a bet
		b := newBench(t, func(o *provider.ProfileOptions) { o.Policy.RefundAfterWin = provider.Accepted })
		b.fund("100")
		for range 2 {
			b.mustSay(name, saying{kind: provider.Win, id: `"t"`, amount: "4"})
		}
		b.mustSay(name, saying{kind: provider.Bet, id: `"t"`, amount: "3"})
		for range 2 {
			b.mustSay(name, saying{kind: provider.Refund, id: `"t"`, own: `"t"`})
		}
		b.requireBalance("104")
	}
}
