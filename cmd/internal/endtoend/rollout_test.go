package endtoend_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// newClosed is a platform that runs and opened no brand yet.
func newClosed(t *testing.T, base settings) *platform {
	t.Helper()
	p := newPlatform(t, base)
	p.db = wallettest.NewClosedDatabase(t)
	p.admin = p.db.Pool(t, wallettest.Admin)
	p.startGaming(nil)
	p.startCasino(nil)
	return p
}

// goLive has a person of backfill take a brand live.
func (p *platform) goLive(brand string) {
	p.t.Helper()
	person := oncall{p, wallettest.NewPerson(p.t, "bo", "backfill")}
	stdout, _ := person.run(0, "backfill", "open", brand, "--live", "--confirm", brand+" live")
	require.Contains(p.t, stdout, "live")
}

// The credit goes on its schedule, ends in a case that names the brand's state,
// and is credited once when it is sent again.
func TestRollout_ACreditOfABrandThatIsNotLiveIsRetriedThenACaseThenCredited(t *testing.T) {
	t.Parallel()
	p := newClosed(t, impatient)
	gamingLog := p.logs[0]
	ana := p.oncall("ana")
	d := p.create(order{})
	p.pay(d)
	p.waitCase(d.ID, "credit_exhausted")
	require.Equal(t, []string{"brand_not_live"}, p.texts(`select last_error_class from casino.deposits where id = $1`, d.ID))
	require.Contains(t, p.texts(`select last_error from casino.deposits where id = $1`, d.ID)[0], "brand acme is closed, not live")
	require.Equal(t, 6, p.attempts(d))
	require.Zero(t, p.count(`select count(*) from gaming.wallets`))
	require.NotEmpty(t, gamingLog.records(t, "WARN"))
	failed := ana.replay(1, d.ID)
	require.Contains(t, failed.Error, "brand acme is closed")

	p.goLive(acme)
	credited := ana.replay(0, d.ID)
	require.Equal(t, "credited", credited.Status)
	p.requireWhole([]deposit{d}, expected{})
}

// Deposits that are on their way while the brand goes live are credited by
// their own schedule.
func TestRollout_CreditsThatWaitAreCreditedOnceTheBrandIsLive(t *testing.T) {
	t.Parallel()
	p := newClosed(t, settings{"CREDIT_RETRY_BASE": "1s"})
	deposits := make([]deposit, 5)
	for i := range deposits {
		deposits[i] = p.create(order{})
		p.pay(deposits[i])
	}
	for _, d := range deposits {
		await(t, "a first attempt at "+d.ID, func() bool { return p.attempts(d) > 0 })
	}
	p.goLive(acme)
	p.requireWhole(deposits, expected{})
	require.Equal(t, http.StatusOK, p.show(acme, deposits[0].ID).status)
}
