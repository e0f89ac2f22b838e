package tui_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func bulk(t *testing.T) (*desk, *person) {
	d := &desk{items: items(100), holdRun: make(chan struct{})}
	p := sit(t, d, 100, 20)
	p.press("a", "r", "y")
	return d, p
}

func TestBulk_ShowsProgressAndRateWhileOneLooksAround(t *testing.T) {
	t.Parallel()
	d, p := bulk(t)
	for range 40 {
		d.holdRun <- struct{}{}
	}
	p.pass(4 * time.Second)
	p.see("Send again: 40 of 100, 10.0 a second, esc stops")
	p.press("down", "down", "enter")
	p.see("Time line")
	p.see("Send again: 40 of 100")
	p.press("t")
	p.see("wait for what runs, or stop it with esc")
	p.press("esc")
	close(d.holdRun)
	p.see("Send again: 100 of 100 done")
}

func TestBulk_StopsAfterWhatWasBegun(t *testing.T) {
	t.Parallel()
	d, p := bulk(t)
	d.holdRun <- struct{}{}
	p.see("1 of 100")
	p.press("esc")
	require.Contains(t, p.view(), "Stop?")
	p.press("enter")
	require.NotContains(t, p.view(), "stopping")
	p.await("the second to be begun", func() bool {
		d.mu.Lock()
		defer d.mu.Unlock()
		return len(d.sent) == 2
	})
	p.press("esc", "y")
	p.see("stopping after what was begun")
	close(d.holdRun)
	p.see("Send again: 2 of 100 done, of 98 no outcome is known")
	require.Len(t, d.sent, 2)
	require.False(t, p.left)
}

func TestBulk_LeavingAsksAndWaitsForWhatWasBegun(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"q", "ctrl+c"} {
		d, p := bulk(t)
		d.holdRun <- struct{}{}
		p.see("1 of 100")
		p.press(how)
		require.Contains(t, p.view(), "Stop and leave?")
		p.press("enter")
		require.False(t, p.left)
		p.press(how, "y")
		require.False(t, p.left, "what was begun is waited for")
		close(d.holdRun)
		p.await("the end", func() bool { return p.left })
		require.Less(t, len(d.sent), 100)
	}
}

func TestBulk_WhoIsInAHurryNeedNotWait(t *testing.T) {
	t.Parallel()
	d, p := bulk(t)
	t.Cleanup(func() { close(d.holdRun) })
	p.press("ctrl+c", "y")
	require.False(t, p.left)
	p.press("ctrl+c")
	p.await("the end", func() bool { return p.left })
}

func TestLeave_WithNothingRunningIsAtOnce(t *testing.T) {
	t.Parallel()
	for _, where := range []string{"", "enter", "?", "o"} {
		p := sit(t, &desk{items: items(1)}, 80, 24)
		if where != "" {
			p.press(where)
		}
		p.press("q")
		p.await("the end", func() bool { return p.left })
	}
}
