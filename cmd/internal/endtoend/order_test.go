package endtoend_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWebhook_TheSameOneTwentyTimesAtOnceCreditsOnce(t *testing.T) {
	t.Parallel()
	p := newRunning(t, nil)
	d := p.create(order{})
	body := paid(d).body()
	const times = 20
	answers := make([]answer, times)
	errs := make([]error, times)
	var wait sync.WaitGroup
	for i := range times {
		wait.Go(func() { answers[i], errs[i] = p.webhook("pix/acme-main", body) })
	}
	wait.Wait()
	for i := range times {
		require.NoError(t, errs[i])
		require.Equal(t, 200, answers[i].status, answers[i].body)
	}
	p.requireWhole([]deposit{d}, expected{})
	await(t, "every message to be kept", func() bool {
		return p.count(`select count(*) from casino.gateway_messages`) == times
	})
	require.Equal(t, 1, p.count(`select count(*) from casino.gateway_messages where result = 'applied'`))
	require.Equal(t, times-1, p.count(`select count(*) from casino.gateway_messages where result = 'skipped'`))
	require.Equal(t, 1, p.count(`select count(*) from casino.deposit_events where kind = 'confirmed'`))
}

func TestWebhook_AllOrdersOfStatusesCreditOnce(t *testing.T) {
	t.Parallel()
	p := newRunning(t, nil)
	var deposits []deposit
	for _, statuses := range permutations("pending", "failed", "expired", "confirmed") {
		d := p.create(order{})
		for i, status := range statuses {
			p.notify(d, told(d, status))
			p.waitHandled(d, i+1)
		}
		deposits = append(deposits, d)
	}
	p.requireWhole(deposits, expected{})
	const late = `select count(*) from casino.deposit_events where kind = 'confirmed' and from_status::text = $1`
	require.Positive(t, p.count(late, "expired"), "no confirmation came after an expiry")
	require.Positive(t, p.count(late, "failed"), "no confirmation came after a failure")
}

func TestWebhook_AStatusThatComesAfterTheCreditChangesNothing(t *testing.T) {
	t.Parallel()
	p := newRunning(t, nil)
	d := p.create(order{})
	p.pay(d)
	p.waitStatus(d, "credited")
	for i, status := range []string{"failed", "expired", "pending", "confirmed"} {
		p.notify(d, told(d, status))
		p.waitHandled(d, i+2)
	}
	p.requireWhole([]deposit{d}, expected{})
}

func TestWebhook_ExpiryAndConfirmationAtTheSameTimeCreditOnce(t *testing.T) {
	t.Parallel()
	p := newRunning(t, nil)
	var deposits []deposit
	for range 20 {
		d := p.create(order{})
		var wait sync.WaitGroup
		answers := make([]answer, 2)
		for i, status := range []string{"expired", "confirmed"} {
			body := told(d, status).body()
			wait.Go(func() { answers[i], _ = p.webhook("pix/acme-main", body) })
		}
		wait.Wait()
		require.Equal(t, []int{200, 200}, []int{answers[0].status, answers[1].status})
		deposits = append(deposits, d)
	}
	p.requireWhole(deposits, expected{})
}

func TestWebhook_OneForADepositThatNeverWasEndsAsACase(t *testing.T) {
	t.Parallel()
	p := newRunning(t, nil)
	p.notify(deposit{Gateway: "pix", Account: "acme-main"}, paid(deposit{ID: "dep_never", Amount: "50", Currency: "EUR"}))
	await(t, "the case of an unknown deposit", func() bool {
		return p.count(`select count(*) from casino.cases where subject_id = 'dep_never'`) == 1
	})
	d := p.create(order{})
	p.pay(d)
	p.requireWhole([]deposit{d}, expected{cases: []string{"unknown_deposit"}})
}

// waitHandled returns when so many messages about the deposit were handled.
func (p *platform) waitHandled(d deposit, n int) {
	p.t.Helper()
	await(p.t, "the messages about "+d.ID+" to be handled", func() bool {
		return p.count(`select count(*) from casino.gateway_messages where deposit_id = $1`, d.ID) == n
	})
}

// permutations returns every order of the words.
func permutations(words ...string) [][]string {
	if len(words) == 1 {
		return [][]string{words}
	}
	var all [][]string
	for i, word := range words {
		var rest []string
		rest = append(append(rest, words[:i]...), words[i+1:]...)
		for _, tail := range permutations(rest...) {
			all = append(all, append([]string{word}, tail...))
		}
	}
	return all
}
