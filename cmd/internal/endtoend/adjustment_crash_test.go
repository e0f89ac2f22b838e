package endtoend_test

import (
	"bytes"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletctl/walletctl/cmd/internal/process"
	"github.com/walletctl/walletctl/walletcore/wallettest"
)

// steps of a command, by what it sends: the step with its arguments, then the
// COMMIT.
func sendsStep(chunk []byte) bool {
	return bytes.Contains(chunk, []byte("walletctl ")) && adjustmentID.Match(chunk)
}
func sendsCommit(chunk []byte) bool { return bytes.Contains(chunk, []byte("commit\x00")) }

// silenceAt swallows replies from where the command sends something.
func silenceAt(network *wallettest.Proxy, at func([]byte) bool) {
	network.OnRequest(func(chunk []byte) wallettest.Action {
		if at(chunk) {
			network.DropReplies(true)
		}
		return wallettest.Pass
	})
}

func TestAdjustment_TheCommandKilledBeforeItsCommitDidNothing(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.startGaming(nil)
	id := o.request()
	for _, arguments := range [][]string{
		{"approve", id, confirm},
		{"request", "acme", "u-1", "EUR", "--credit", "5", "--reason", "goodwill", "--ticket", "T-1", confirm},
	} {
		person := map[string]string{"approve": o.sue, "request": o.mary}[arguments[0]]
		network, url := wallettest.NewProxyFor(t, person)
		silenceAt(network, sendsStep)
		r := o.start(url, arguments...)
		const inTransaction = `select count(*) from pg_stat_activity where datname = current_database() and state = 'idle in transaction'
  and application_name = 'walletctl'`
		await(t, "the step to be done, in a transaction", func() bool { return o.count(inTransaction) == 1 })
		require.NoError(t, r.Process.Kill())
		require.Equal(t, -1, r.code(t))
		network.Cut()
		await(t, "the transaction to end", func() bool { return o.count(inTransaction) == 0 })
	}
	require.Equal(t, 1, o.count(`select count(*) from gaming.adjustments`))
	require.Equal(t, "requested", o.state(id))
	o.want(0, o.sue, "approve", id, confirm)
	o.requirePosted(id)
}

func TestAdjustment_TheCommandKilledBehindItsCommitDidIt(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.startGaming(nil)
	network, url := wallettest.NewProxyFor(t, o.mary)
	silenceAt(network, sendsCommit)
	r := o.start(url, "request", "acme", "u-1", "EUR", "--credit", "5", "--reason", "goodwill", "--ticket", "T-1", confirm)
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
// time: to look it up, then to write it, with the COMMIT behind. Its database
// has heard it.
func (o *office) killGamingAt(id string, n int32, approve func()) {
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
	o.killWhen(gaming, n, id)
	network.Cut()
}

func (o *office) killWhen(gaming *process.Process, n int32, id string) {
	o.t.Helper()
	if n == 2 {
		o.awaitState(id, "posted")
	}
	gaming.Kill()
}

func TestAdjustment_GamingKilledAtEachStep(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	var ids []string
	for _, n := range []int32{1, 2} {
		id := o.request()
		ids = append(ids, id)
		var r *run
		o.killGamingAt(id, n, func() { r = o.start(o.sue, "approve", id, confirm) })
		if n == 1 {
			require.Equal(t, "approved", o.state(id))
			o.startGaming(nil)
		}
		require.Equal(t, 0, r.code(t), r.err.String())
		if n == 1 {
			o.stop(o.gaming.Load())
		}
	}
	o.startGaming(nil)
	o.requirePosted(ids...)
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
		if bytes.Contains(chunk, []byte(id)) && seen.Add(1) == 2 {
			return wallettest.CutAfterReply
		}
		return wallettest.Pass
	})
	o.want(0, o.sue, "approve", id, confirm)
	require.Equal(t, 1, metric(t, o.gaming.Load(), "ledger_unknown_commits_total"))
	o.requirePosted(before, id)
}
