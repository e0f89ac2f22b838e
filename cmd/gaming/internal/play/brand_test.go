package play_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/provider"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// A rollback that comes before its brand is live leaves no tombstone: its bet,
// which comes after, counts.
func TestBrand_ThatIsNotLiveTellsItsProvidersToSendAgain(t *testing.T) {
	t.Parallel()
	eachDialect(t, "", func(t *testing.T, name string) {
		b := &bench{t: t, db: wallettest.NewClosedDatabase(t), now: time.Now()}
		b.open(b.db.Pool(t, wallettest.Gaming), "", 20*time.Second)
		sayings := []saying{
			{kind: provider.Refund, id: `"k1"`, own: `"r1"`},
			{kind: provider.Bet, id: `"k1"`, amount: "10"},
			{kind: provider.Win, id: `"k2"`, amount: "5"},
		}
		for _, s := range sayings {
			require.GreaterOrEqual(t, b.say(name, s).status, 500, "%s: never a decline", s.kind)
		}
		require.Zero(t, b.count(`select count(*) from gaming.wallets`))

		b.db.OpenBrand(t, player.Brand)
		b.fund("100")
		b.mustSay(name, sayings[1])
		b.requireBalance("90")
		b.mustSay(name, sayings[2])
		b.requireBalance("95")
	})
}
