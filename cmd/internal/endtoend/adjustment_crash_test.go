package endtoend_test

import (
	"bytes"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// steps of a command, by what it sends: the step with its arguments (request and
// approve try it first, and take it back), then the COMMIT.
func sendsStep(chunk []byte) bool {
	return bytes.Contains(chunk, []byte("walletctl ")) && adjustmentID.Match(chunk)
}
func sendsCommit(chunk []byte) bool { return bytes.Contains(chunk, []byte("commit\x00")) }

// second is the second time that something is sent.
func second(is func([]byte) bool) func([]byte) bool {
	var seen atomic.Int32
	return func(chunk []byte) bool { return is(chunk) && seen.Add(1) == 2 }
}

// silenceAt swallows replies from where the command sends something, and tells
// whether it has.
func silenceAt(network *wallettest.Proxy, at func([]byte) bool) *atomic.Bool {
	var silenced atomic.Bool
	network.OnRequest(func(chunk []byte) wallettest.Action {
		if at(chunk) {
			network.DropReplies(true)
			silenced.Store(true)
		}
		return wallettest.Pass
	})
	return &silenced
}

func TestAdjustment_TheCommandKilledBeforeItsCommitDidNothing(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.startGaming(nil)
	id := o.request()
	for _, killed := range []struct {
		person    string
		at        func([]byte) bool
		arguments []string
	}{
		{o.sue, second(sendsStep), []string{"approve", id, confirm}},
		{o.mary, second(sendsStep), append(creditFive(), confirm)},
		{o.sam, sendsStep, []string{"reject", id, "--note", "no"}},
		{o.mary, sendsStep, []string{"cancel", id}},
	} {
		network, url := wallettest.NewProxyFor(t, killed.person)
		silenced := silenceAt(network, killed.at)
		r := o.start(url, killed.arguments...)
		o.awaitOpenStep(silenced)
		require.NoError(t, r.Process.Kill())
		require.Equal(t, -1, r.code(t))
		network.Cut()
		await(t, "the transaction to end", func() bool { return o.inTransaction() == 0 })
		require.Equal(t, "requested", o.state(id))
	}
	require.Equal(t, 1, o.count(`select count(*) from gaming.adjustments`))
	o.want(0, o.sue, "approve", id, confirm)
	o.requirePosted(id)
}

// inTransaction counts commands that have done a step and not ended it.
func (o *office) inTransaction() int {
	o.t.Helper()
	return o.count(`
select count(*) from pg_stat_activity
where datname = current_database() and application_name = 'walletctl'
  and state = 'idle in transaction' and query like '%\_adjustment(%'`)
}

// awaitOpenStep waits until a command has done its step and does not hear of it.
func (o *office) awaitOpenStep(silenced *atomic.Bool) {
	o.t.Helper()
	await(o.t, "a step that is done and not ended", func() bool { return silenced.Load() && o.inTransaction() == 1 })
}

// A host that vanishes says no goodbye: its step ends by itself, and meanwhile
// the others are told.
func TestAdjustment_TheCommandsHostVanishesAndNobodyWaitsForIt(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.startGaming(nil)
	id := o.request()
	network, url := wallettest.NewProxyFor(t, o.sue)
	silenced := silenceAt(network, second(sendsStep))
	o.start(url, "approve", id, confirm)
	o.awaitOpenStep(silenced)
	r := o.want(1, o.sam, "approve", id, confirm)
	require.Contains(t, r.err.String(), "approve "+id+": nothing was recorded: somebody else is at it")
	require.Contains(t, r.err.String(), "Try: wait a moment and look")
	await(t, "the transaction to end", func() bool { return o.inTransaction() == 0 })
	o.want(0, o.sam, "approve", id, confirm)
	o.requirePosted(id)
}

func TestAdjustment_TheCommandKilledBehindItsCommitDidIt(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.startGaming(nil)
	network, url := wallettest.NewProxyFor(t, o.mary)
	silenceAt(network, sendsCommit)
	r := o.start(url, append(creditFive(), confirm)...)
	await(t, "the request", func() bool { return o.count(`select count(*) from gaming.adjustments`) == 1 })
	require.NoError(t, r.Process.Kill())
	require.Equal(t, -1, r.code(t))

	id := adjustmentID.FindString(o.want(0, o.mary, "list", "--mine").out.String())
	network, url = wallettest.NewProxyFor(t, o.sue)
	silenceAt(network, sendsCommit)
	r = o.start(url, "approve", id, confirm)
	o.awaitState(id, "posted")
	require.NoError(t, r.Process.Kill())
	require.Equal(t, -1, r.code(t))
	o.requirePosted(id)
}

func TestAdjustment_ALostAnswerIsSaidToBeUnknown(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	for action, state := range map[wallettest.Action]string{wallettest.CutBefore: "requested", wallettest.CutAfterReply: "approved"} {
		id := o.request()
		network, url := wallettest.NewProxyFor(t, o.sue)
		network.OnRequest(func(chunk []byte) wallettest.Action {
			if sendsCommit(chunk) {
				return action
			}
			return wallettest.Pass
		})
		r := o.want(1, url, "approve", id, confirm)
		require.Contains(t, r.err.String(), "the answer was lost, "+id+" may be recorded")
		require.Contains(t, r.err.String(), "Try: walletctl adjust show "+id+", before doing it again")
		o.awaitState(id, state)
		if state == "requested" {
			o.want(0, o.mary, "cancel", id)
		}
	}
	o.startGaming(nil)
	await(t, "the posting", func() bool { return o.count(`select count(*) from gaming.entries where kind = 'adjustment'`) == 1 })
	o.requireChainCheck()
}

// killGamingAt kills a gaming when it sends an adjustment's id for the n-th
// time: to read what is due, to look it up, and then to write it, with the COMMIT
// behind, or to refuse it. Its database has heard it, and the adjustment is in
// the state by then.
func (o *office) killGamingAt(id string, n int32, state string, approve func()) {
	o.t.Helper()
	network, url := wallettest.NewProxyFor(o.t, o.db.URL(o.t, wallettest.Gaming))
	gaming := o.startGaming(settings{"GAMING_DATABASE_URL": url})
	reached := make(chan struct{})
	var seen atomic.Int32
	network.OnRequest(func(chunk []byte) wallettest.Action {
		if bytes.Contains(chunk, []byte(id)) && seen.Add(1) == n {
			network.DropReplies(true)
			close(reached)
		}
		return wallettest.Pass
	})
	approve()
	select {
	case <-reached:
	case <-time.After(patience):
		require.Fail(o.t, "gaming never came there")
	}
	o.awaitState(id, state)
	gaming.Kill()
	network.Cut()
}

func TestAdjustment_GamingKilledAtEachStep(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	var ids []string
	for i, state := range []string{"approved", "approved", "posted"} {
		id := o.request()
		ids = append(ids, id)
		var r *run
		o.killGamingAt(id, int32(i)+1, state, func() { r = o.start(o.sue, "approve", id, confirm) })
		if state == "approved" {
			o.startGaming(nil)
		}
		require.Equal(t, 0, r.code(t), r.err.String())
		if state == "approved" {
			o.stop(o.gaming.Load())
		}
	}
	o.startGaming(nil)
	o.requirePosted(ids...)
}

// More than there is: refused, also where gaming dies over it, and with it the
// command's answer. Asked for as a debt, it is one.
func TestAdjustment_GamingKilledWhileItRefuses(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	const taken = "--confirm=-110.00 EUR"
	debit := []string{"request", "acme", "u-1", "EUR", "--debit", "110", "--reason", "chargeback", "--ticket", "T-1", taken}
	ask := func(more ...string) string {
		return adjustmentID.FindString(o.want(8, o.mary, append(debit, more...)...).out.String())
	}
	id, r := ask(), (*run)(nil)
	o.killGamingAt(id, 3, "refused", func() { r = o.start(o.sue, "approve", id, taken) })
	require.Equal(t, 1, r.code(t), r.err.String())
	require.Contains(t, r.err.String(), id+" is refused by gaming, nothing moved")
	require.Contains(t, r.out.String(), "insufficient_funds: an adjustment of -110.00000000 needs more")
	o.startGaming(nil)

	owed := ask("--allow-debt")
	o.want(8, o.sue, "approve", owed, taken)
	o.want(0, o.sam, "approve", owed, taken)
	require.Equal(t, 1, o.count(`select count(*) from gaming.adjustment_steps where step = 'refused'`))
	require.Equal(t, 1, o.count(`select count(*) from gaming.entries where kind = 'adjustment'`))
	require.Equal(t, -10, o.count(`select real::int from gaming.wallets`))
	wallettest.RequireClosed(t, o.admin, o.keys)
	o.requireChainCheck()
}

func TestAdjustment_TheConnectionOfGamingDiesDuringCommit(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	network, url := wallettest.NewProxyFor(t, o.db.URL(t, wallettest.Gaming))
	o.startGaming(settings{"GAMING_DATABASE_URL": url})
	before, id := o.request(), o.request()
	o.want(0, o.sue, "approve", before, confirm) // statements are prepared by it
	var seen atomic.Int32
	network.OnRequest(func(chunk []byte) wallettest.Action {
		if bytes.Contains(chunk, []byte(id)) && seen.Add(1) == 3 {
			return wallettest.CutAfterReply
		}
		return wallettest.Pass
	})
	o.want(0, o.sue, "approve", id, confirm)
	require.Equal(t, 1, metric(t, o.gaming.Load(), "ledger_unknown_commits_total"))
	o.requirePosted(before, id)
}
