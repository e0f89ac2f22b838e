package endtoend_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"regexp"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore"
	"github.com/walletctl/walletctl/walletcore/ledger"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// office is a platform with one wallet of 100, and the people who adjust it.
type office struct {
	*platform
	mary, sue, sam string // URLs: support, supervisor, supervisor
}

func newOffice(t *testing.T) *office {
	t.Helper()
	o := &office{platform: newPlatform(t, nil)}
	hire := func(name, role string) string { return o.db.URLOf(t, wallettest.NewPerson(t, name, role)) }
	o.mary, o.sue, o.sam = hire("mary", "support"), hire("sue", "supervisor"), hire("sam", "supervisor")
	l, err := ledger.New(ledger.Options{Pool: o.db.Pool(t, wallettest.Gaming), Keys: o.keys})
	require.NoError(t, err)
	_, err = l.CreditDeposit(t.Context(), walletcore.DepositCredit{
		DepositID: "d-1", Wallet: player("u-1"), Amount: walletcore.MustParseMoney("100"), OccurredAt: time.Now(),
	})
	require.NoError(t, err)
	return o
}

// run is a command that was started, and what it writes.
type run struct {
	*exec.Cmd
	out, err bytes.Buffer
}

// start runs walletctl adjust as somebody.
func (o *office) start(url string, arguments ...string) *run {
	o.t.Helper()
	r := &run{Cmd: exec.Command(binary(o.t, "walletctl"), append([]string{"adjust"}, arguments...)...)}
	r.Env = append(os.Environ(), "GAMING_DATABASE_URL="+url)
	r.Stdout, r.Stderr = &r.out, &r.err
	require.NoError(o.t, r.Start())
	o.t.Cleanup(func() { _ = r.Process.Kill() })
	return r
}

// code waits for the end; -1 is a signal's.
func (r *run) code(t *testing.T) int {
	t.Helper()
	err := r.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	return r.ProcessState.ExitCode()
}

func (o *office) want(code int, url string, arguments ...string) *run {
	o.t.Helper()
	r := o.start(url, arguments...)
	require.Equal(o.t, code, r.code(o.t), r.out.String()+r.err.String())
	return r
}

var adjustmentID = regexp.MustCompile(`adj_[0-9a-f]{32}`)

const (
	five    = "+5.00 EUR"
	confirm = "--confirm=" + five
)

func creditFive() []string {
	return []string{"request", "acme", "u-1", "EUR", "--credit", "5", "--reason", "goodwill", "--ticket", "T-1"}
}

// request asks for five more, as mary.
func (o *office) request() string {
	o.t.Helper()
	r := o.want(8, o.mary, append(creditFive(), confirm)...)
	return adjustmentID.FindString(r.out.String())
}

func (o *office) state(id string) string {
	o.t.Helper()
	return o.texts(`select gaming.state_of(a) from gaming.adjustments a where id = $1`, id)[0]
}

func (o *office) awaitState(id, state string) {
	o.t.Helper()
	await(o.t, id+" to be "+state, func() bool { return o.state(id) == state })
}

// requirePosted asserts that each of them is posted once, and nothing else.
func (o *office) requirePosted(ids ...string) {
	o.t.Helper()
	for _, id := range ids {
		o.awaitState(id, "posted")
	}
	require.Equal(o.t, len(ids), o.count(`select count(*) from gaming.entries where kind = 'adjustment'`))
	require.Equal(o.t, 100+5*len(ids), o.count(`select real::int from gaming.wallets`))
	const withoutTwoPeople = `
select count(*) from gaming.entries e
where e.kind = 'adjustment' and not exists (
  select from gaming.adjustments a join gaming.adjustment_steps s on s.adjustment_id = a.id and s.step = 'approved'
  where a.id = e.external_id and a.requested_by = e.actor and s.actor <> e.actor
    and pg_has_role(s.actor, 'supervisor', 'member'))`
	require.Zero(o.t, o.count(withoutTwoPeople))
	wallettest.RequireClosed(o.t, o.admin, o.keys)
	o.requireChainCheck()
	for _, log := range o.logs {
		log.requireSecretsKept(o.t, o.secrets())
	}
}

func TestAdjustment_TwentyCommandsApproveAndThreeGamingsPostItOnce(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	for range 3 {
		o.startGaming(nil)
	}
	id := o.request()
	var wait sync.WaitGroup
	var posted atomic.Int32
	for i := range 20 {
		r := o.start([]string{o.sue, o.sam}[i%2], "approve", id, confirm)
		wait.Go(func() {
			if r.code(t) == 0 {
				posted.Add(1)
			}
		})
	}
	wait.Wait()
	require.EqualValues(t, 1, posted.Load())
	o.requirePosted(id)
}

func TestAdjustment_TheCommandSaysThatGamingWillPostIt(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	id := o.request()
	r := o.want(8, o.sue, "approve", id, confirm, "--timeout", "100ms")
	require.Contains(t, r.err.String(), "gaming has not posted it within 100ms, and will")
	o.startGaming(nil)
	o.requirePosted(id)
}

func TestAdjustment_CtrlCWhileItWaitsSaysWhatIsKnown(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	id := o.request()
	r := o.start(o.sue, "approve", id, confirm, "--timeout", "5m")
	o.awaitState(id, "approved")
	await(t, "the command to look", func() bool {
		return o.count(`select count(*) from pg_stat_activity where datname = current_database() and application_name = 'walletctl'
  and query like '%state_of%'`) == 1
	})
	require.NoError(t, r.Process.Signal(syscall.SIGINT))
	require.Equal(t, 130, r.code(t), r.err.String())
	require.Contains(t, r.err.String(), id+" is approved; gaming posts it, or has by now")
	require.Contains(t, r.err.String(), "Try: walletctl adjust show "+id)
	o.startGaming(nil)
	o.requirePosted(id)
}

func TestAdjustment_CtrlCBeforeItsCommitDidNothing(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	id := o.request()
	network, url := wallettest.NewProxyFor(t, o.sue)
	silenced := silenceAt(network, second(sendsStep))
	r := o.start(url, "approve", id, confirm)
	o.awaitOpenStep(silenced)
	require.NoError(t, r.Process.Signal(syscall.SIGINT))
	require.Equal(t, 130, r.code(t), r.err.String())
	require.Contains(t, r.err.String(), "approve "+id+": nothing was recorded")
	network.Cut()
	await(t, "the transaction to end", func() bool { return o.inTransaction() == 0 })
	require.Equal(t, "requested", o.state(id))
}

func TestAdjustment_TheCommandKilledWhileItWaits(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	id := o.request()
	r := o.start(o.sue, "approve", id, confirm, "--timeout", "5m")
	o.awaitState(id, "approved")
	require.NoError(t, r.Process.Kill())
	require.Equal(t, -1, r.code(t))
	o.startGaming(nil)
	o.requirePosted(id)
}

func TestAdjustment_IsPostedBehindAPooler(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	behind := settings{"DATABASE_POOLER": "transaction", "GAMING_DATABASE_URL": o.db.URL(t, wallettest.GamingPooler)}

	behind["ADJUSTMENT_SWEEP"] = "100ms" // it hears of nothing, and looks
	swept := o.startGaming(behind)
	first := o.request()
	o.want(0, o.sue, "approve", first, confirm)
	o.stop(swept)

	behind["ADJUSTMENT_SWEEP"], behind["GAMING_LISTEN_URL"] = "1h", o.db.URL(t, wallettest.Gaming)
	o.startGaming(behind)
	second := o.request()
	o.want(0, o.sue, "approve", second, confirm)
	o.requirePosted(first, second)
}
