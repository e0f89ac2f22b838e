package endtoend_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/provider"
)

// funded makes one player of the same name at both brands, with 50.00 EUR at
// acme and 70.00 EUR at bravo, and returns the deposits.
func (p *platform) funded() (ofAcme, ofBravo deposit) {
	p.t.Helper()
	ofAcme, ofBravo = p.create(order{}), p.create(order{brand: bravo, amount: "70.00"})
	for _, d := range []deposit{ofAcme, ofBravo} {
		p.pay(d)
		p.waitStatus(d, "credited")
	}
	return ofAcme, ofBravo
}

// requireMoney asserts what all wallets of a brand hold together.
func (p *platform) requireMoney(brand, want string) {
	p.t.Helper()
	require.Equal(p.t, []string{want}, p.texts(`select sum(real + bonus)::text from gaming.wallets where brand_id = $1`, brand))
}

// No credential of acme's opens a door of bravo's, reads what stands behind it
// or moves it: neither a provider's of the same name and dialect, nor that of a
// site or of a gateway account.
func TestBrand_AProvidersSecretOpensOneDoor(t *testing.T) {
	t.Parallel()
	p, doors := newPlaying(t, nil)
	p.funded()
	for _, dialect := range provider.DialectNames() {
		own := doors.signing[acme+"/"+dialect]
		foreign := map[string]string{"the site's token": p.doors.tokens[acme], "bravo's own": doors.signing[bravo+"/"+dialect], "none": ""}
		for _, other := range provider.DialectNames() {
			if other != dialect {
				foreign["that of "+other] = doors.signing[acme+"/"+other]
			}
		}
		for what, c := range callbacks(dialect, "u-1", "t-"+dialect) {
			a := p.play(bravo+"/"+dialect, own, c)
			require.GreaterOrEqual(t, a.status, 400, "acme's secret at bravo's door: %s %s", dialect, what)
			require.NotContains(t, a.body, "70", "bravo's balance")
			for title, secret := range foreign {
				a := p.play(acme+"/"+dialect, secret, c)
				require.GreaterOrEqual(t, a.status, 400, "%s at acme's door: %s %s", title, dialect, what)
				require.NotContains(t, a.body, "50", "acme's balance")
			}
		}
		require.Equal(t, http.StatusOK, p.play(acme+"/"+dialect, own, callbacks(dialect, "u-1", "")["balance"]).status)
	}
	require.Zero(t, p.count(`select count(*) from gaming.entries where kind not in ('opening', 'deposit')`))
	p.requireMoney(acme, "50.00000000")
	p.requireMoney(bravo, "70.00000000")
}

// At its own door a provider reaches its own brand's wallets alone, whatever
// player and whose bet it names.
func TestBrand_AProviderReachesItsOwnBrandsWalletsAlone(t *testing.T) {
	t.Parallel()
	p, doors := newPlaying(t, nil)
	p.funded()
	for i, dialect := range provider.DialectNames() {
		play := func(brand, user, id, what string) answer {
			return p.play(brand+"/"+dialect, doors.signing[brand+"/"+dialect], callbacks(dialect, user, id)[what])
		}
		// bravo's bet, and then all that acme's provider can say about it.
		require.Equal(t, http.StatusOK, play(bravo, "u-1", "shared-"+dialect, "bet").status)
		play(acme, "u-1", "shared-"+dialect, "refund")
		for _, user := range []string{"bravo/u-1", "bravo:u-1", p.walletOf(bravo)} {
			a := play(acme, user, "", "balance")
			require.Equal(t, http.StatusOK, a.status)
			require.Contains(t, []string{`{"balance":"0.00000000","currency":"EUR"}`, `{"balance":0}`, `{"balance":"0.00000000"}`}, strings.TrimSpace(a.body))
			require.GreaterOrEqual(t, play(acme, user, "b-"+dialect, "bet").status, 400, "a bet without funds")
		}
		p.requireMoney(bravo, fmt.Sprintf("%d.00000000", 69-i))
		p.requireMoney(acme, "50.00000000")
		// The same id at both brands is a bet at each.
		require.Equal(t, http.StatusOK, play(acme, "u-1", "both-"+dialect, "win").status)
		require.Equal(t, http.StatusOK, play(acme, "u-1", "both-"+dialect, "bet").status)
		// A body cannot choose a brand.
		c := callbacks(dialect, "u-1", "w-"+dialect)["win"]
		c.body = `{"brand":"bravo","brand_id":"bravo",` + c.body[1:]
		if a := p.play(acme+"/"+dialect, doors.signing[acme+"/"+dialect], c); a.status == http.StatusOK {
			require.Equal(t, http.StatusOK, play(acme, "u-1", "back-"+dialect, "bet").status)
		}
	}
	p.requireMoney(bravo, "66.00000000")
	p.requireMoney(acme, "50.00000000")
}

// walletOf is the id of a brand's one wallet.
func (p *platform) walletOf(brand string) string {
	p.t.Helper()
	return p.texts(`select id::text from gaming.wallets where brand_id = $1`, brand)[0]
}

// A site's token reads and makes its own brand's deposits alone.
func TestBrand_ASitesTokenReachesItsOwnDepositsAlone(t *testing.T) {
	t.Parallel()
	p := newRunning(t, nil)
	key := uuid.NewString()
	theirs, err := p.tryCreate(order{brand: bravo}, key)
	require.NoError(t, err)
	require.Equal(t, http.StatusNotFound, p.show(acme, theirs.ID).status)
	mine, err := p.tryCreate(order{}, key) // bravo's key is no key of acme's
	require.NoError(t, err)
	require.NotEqual(t, theirs.ID, mine.ID)
	for body, status := range map[string]int{
		field("brand", `"bravo"`):                           http.StatusForbidden,
		field("account", `"bravo-main"`):                    http.StatusUnprocessableEntity,
		`{"brand":"bravo",` + field("brand", `"acme"`)[1:]:  http.StatusUnprocessableEntity, // twice
		`{"brand_id":"bravo",` + field("user", `"u-1"`)[1:]: http.StatusUnprocessableEntity,
	} {
		a := p.post(acme, uuid.NewString(), body)
		require.Equal(t, status, a.status, "%s: %s", body, a.body)
	}
	for name, token := range map[string]string{
		"a gateway's secret": p.doors.signing["pix/bravo-main"], "another case": strings.ToUpper(p.doors.tokens[bravo]),
		"two at once": p.doors.tokens[acme] + " " + p.doors.tokens[bravo], "a part": p.doors.tokens[bravo][:31], "none": "",
	} {
		p.doors.tokens["tried"] = token
		a, err := p.site("tried", http.MethodGet, "/deposits/"+theirs.ID, "", nil)
		require.NoError(t, err)
		require.Equal(t, http.StatusUnauthorized, a.status, name)
		require.NotContains(t, a.body, "50.00")
	}
	delete(p.doors.tokens, "tried")
	require.Equal(t, 1, p.count(`select count(*) from casino.deposits where brand_id = 'acme'`))
	require.Equal(t, 1, p.count(`select count(*) from casino.deposits where brand_id = 'bravo'`))
}

// A gateway account's secret verifies at its own account alone, and what it
// says of another brand's deposit is an alarm.
func TestBrand_AnAccountsSecretReachesItsOwnDepositsAlone(t *testing.T) {
	t.Parallel()
	p := newRunning(t, nil)
	theirs := p.create(order{brand: bravo})
	body := paid(theirs).body()
	for _, account := range []string{"pix/bravo-main", "stripe/bravo-main", "stripe/acme-main"} {
		for _, secret := range []string{p.doors.signing["pix/acme-main"], p.doors.tokens[bravo], p.doors.tokens[acme]} {
			a, err := p.send(account, "X-Signature", "sha256="+sign(secret, body), body)
			require.NoError(t, err)
			require.Equal(t, http.StatusUnauthorized, a.status, account)
		}
	}
	require.Zero(t, p.count(`select count(*) from casino.gateway_messages`))
	for _, status := range []string{"confirmed", "failed", "expired", "chargeback"} {
		p.requireTaken("pix/acme-main", told(theirs, status).body())
	}
	p.waitHandled(theirs, 4)
	require.Equal(t, "pending", p.status(theirs))
	p.pay(theirs)
	p.waitStatus(theirs, "credited")
	p.requireMoney(bravo, "50.00000000")
	require.Equal(t, 1, p.count(`select count(*) from gaming.wallets`))
}
