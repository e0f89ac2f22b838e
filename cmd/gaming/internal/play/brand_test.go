package play_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/gaming/internal/play"
	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
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

// The door logs the error, so it has to name the brand and its state.
func TestPlay_OfABrandThatIsNotLiveIsAnErrorThatNamesIt(t *testing.T) {
	t.Parallel()
	pool := wallettest.NewClosedDatabase(t).Pool(t, wallettest.Gaming)
	l, err := ledger.New(ledger.Options{Pool: pool, Keys: wallettest.Keys(t)})
	require.NoError(t, err)
	wallet, err := play.New(play.Options{Ledger: l, Reader: ledger.NewReader(pool)})
	require.NoError(t, err)
	_, err = wallet.Play(t.Context(), provider.Request{
		Wallet: player, Actor: "acme-games", At: time.Now(),
		Actions: []provider.Action{{Kind: provider.Bet, ID: "games:b-1", Amount: walletcore.MustParseMoney("1")}},
	})
	var notLive *walletcore.NotLiveError
	require.ErrorAs(t, err, &notLive)
	require.Equal(t, &walletcore.NotLiveError{Brand: player.Brand, State: walletcore.BrandClosed}, notLive)
}
