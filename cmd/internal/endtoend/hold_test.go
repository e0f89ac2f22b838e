package endtoend_test

import (
	"fmt"
	"net/url"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/wallettest"
)

func TestHold(t *testing.T) {
	p := newPlatform(t, settings{"CREDIT_RETRY_BASE": "100ms"})
	p.startCasino(nil)
	for i, o := range []order{{user: "player-4711", amount: "50.00"}, {user: "player-0815", amount: "120.00", brand: bravo}, {user: "山田太郎", amount: "9000", currency: "JPY"}, {user: "zoë-🎰", amount: "19.99"}, {user: "player-2042", amount: "1250.00", gateway: "stripe"}} {
		d := p.create(o)
		if o.gateway == "stripe" {
			p.requireTaken("stripe/acme-main", stripeSession(d, 125000))
		} else {
			p.pay(d)
		}
		_ = i
		time.Sleep(1500 * time.Millisecond)
	}
	await(t, "cases", func() bool { return p.count(`select count(*) from casino.cases where kind='credit_exhausted'`) == 5 })
	p.startGaming(nil)
	for _, name := range []string{"anna", "ben"} {
		p.exec(fmt.Sprintf(`do $$ begin create role %s login password 'x' in role oncall; exception when duplicate_object then null; end $$`, name))
	}
	file := ""
	for _, v := range []wallettest.Role{wallettest.Casino, wallettest.Gaming} {
		u, err := url.Parse(p.db.URL(t, v))
		require.NoError(t, err)
		u.User = url.UserPassword("anna", "x")
		file += fmt.Sprintf("export %s='%s'\n", v, u)
	}
	file += fmt.Sprintf("export ADMIN='%s'\n", p.db.URL(t, wallettest.Admin))
	require.NoError(t, os.WriteFile("/tmp/w6hold.env", []byte(file), 0o600))
	for {
		if _, err := os.Stat("/tmp/w6hold.env"); err != nil {
			return
		}
		time.Sleep(time.Second)
	}
}
